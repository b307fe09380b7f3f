"""The cache of one process: bounded, and what several want at once is made once."""

import threading
from functools import partial

import pytest

from handoffs.packs.serving.single_flight import SingleFlightCache


def test_it_works():
    kept: SingleFlightCache[str, str] = SingleFlightCache(2)
    made: list[str] = []

    def make(key):
        made.append(key)
        return key.upper()

    for key in ("a", "b", "a", "c", "a", "b"):
        assert kept.get(key, partial(make, key)) == key.upper()
    assert made == ["a", "b", "c", "b"]
    assert len(kept) == 2


def test_one_makes_it_for_all():
    kept: SingleFlightCache[str, str] = SingleFlightCache(2)
    made: list[int] = []
    begin, go = threading.Event(), threading.Event()

    def make():
        begin.set()
        go.wait(5)
        made.append(1)
        return "value"

    found = []
    threads = [threading.Thread(target=lambda: found.append(kept.get("a", make))) for _ in range(5)]
    threads[0].start()
    begin.wait(5)
    for thread in threads[1:]:
        thread.start()
    go.set()
    for thread in threads:
        thread.join(5)
    assert (found, made) == (["value"] * 5, [1])


def test_what_failed_is_tried_again():
    kept: SingleFlightCache[str, float] = SingleFlightCache(2)
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: 1 // 0)
    assert kept.get("a", lambda: 2) == 2
