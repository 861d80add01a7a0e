"""A thousand matches on a bad line: every move is made once (half an hour)."""

from contextlib import closing

from client.players import play_matches
from client.proxy import CuttingProxy
from gyoji_client import Gyoji
from operators import OPERATOR_KEY
from servers import serving

MATCHES = 1000
AT_ONCE = 8


def test_a_thousand_matches_end_with_every_move_made_once() -> None:
    with (
        serving("--workers", "2", "--threads", "4") as service,
        closing(CuttingProxy(service.port, seed=1000)) as proxy,
        Gyoji(f"http://127.0.0.1:{service.port}", OPERATOR_KEY) as gyoji,
    ):
        for _time in range(MATCHES // AT_ONCE):
            before, proxy.cut = proxy.cut, 0
            play_matches(AT_ONCE, proxy, gyoji)
            proxy.cut += before
