"""Prepares a service once before it begins: its schema, its signing key, and what is due."""

from contextlib import closing

from gyoji.app.disclosures import settle_all
from gyoji.app.logs import log_aside
from gyoji.app.services import Services, connection_options
from gyoji.app.settings import Settings, WrongSetting
from gyoji.store import migrate, open_store
from gyoji.store.archive.reader import open_archive_storage
from gyoji.store.interface import Restored
from gyoji.store.object_storage import BadPlace
from gyoji.store.urls import BadUrl, open_databases


def prepare_store(settings: Settings) -> None:
    """Make the store ready: its schema, its signing key; and disclose what is due. Called once, before any worker is
    started.

    ``WrongSetting`` where a setting that names a store or a file leads nowhere.
    """
    try:
        place = open_archive_storage(settings.archive)
        if place is not None:
            place.refuse_missing_folder()
        open_databases(settings.store, connection_options(settings))
        _make_current(settings)
    except BadUrl as wrong:
        raise WrongSetting(f"GYOJI_STORE: {wrong}") from None
    except BadPlace as wrong:
        raise WrongSetting(f"GYOJI_ARCHIVE: {wrong}") from None
    services = Services(settings)
    try:
        services.store.check()
        _ = services.trusted(), services.capsule_keys
        _begin_to_write(services)
    finally:
        services.store.close()


def _begin_to_write(services: Services) -> None:
    """Make the key that signs, and disclose what is due. A store that was restored is read all the same."""
    try:
        services.store.refuse_restored()
    except Restored as restored:
        log_aside("store-restored", restored)
        return
    _ = services.signing
    settle_all(services)


def _make_current(settings: Settings) -> None:
    """Bring the schema up to date, or demand that somebody has."""
    if settings.migrate:
        migrate(settings.store)
        return
    with closing(open_store(settings.store)) as store:
        store.check()
