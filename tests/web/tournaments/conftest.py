"""Houses in which tournaments are played: one on a store of each kind."""

from collections.abc import Iterator

import pytest

from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.web.app import create_app
from operators import OPERATOR_KEY
from store.databases import KINDS, migrated_database
from web.matches.conftest import quiet
from web.matches.tables import House
from web.matches.tables import house as house_of
from web.tournaments.directing import Cup, cup


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """On stores of both kinds; a module about what no store has a part in names the one that is enough (``STORES``)."""
    if "house" in metafunc.fixturenames:
        kinds = getattr(metafunc.module, "STORES", KINDS)
        metafunc.parametrize("house", kinds, indirect=True, scope="module")


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A service with a store of its own."""
    with quiet(), migrated_database(str(request.param), tmp_path_factory.mktemp("hall")) as url:
        settings = Settings(store=url, operator_key=OPERATOR_KEY, store_key="ab" * 32, origin="hall")
        prepare_store(settings)
        there = house_of(create_app(settings))
        yield there
        there.services.store.close()


@pytest.fixture
def six(house: House) -> Cup:
    """A tournament with six players."""
    return cup(house).enter("Ann", "Ben", "Cho", "Dan", "Eve", "Fay")
