"""Threads for plain calls: one after another they meet the same thread; those that come at once don't wait for each other."""

from __future__ import annotations

import threading

from continuity.api.plain.lanes import Lanes


def thread() -> int:
    return threading.get_ident()


def test_it_works() -> None:
    lanes = Lanes(2, "one-by-one")
    assert len({lanes.submit(thread).result(30) for _ in range(20)}) == 1


def test_who_finds_the_first_busy_takes_the_next() -> None:
    lanes, over = Lanes(2, "at-once"), threading.Event()
    first = lanes.submit(thread).result(30)
    busy = lanes.submit(over.wait, 30)
    assert lanes.submit(thread).result(30) != first
    over.set()
    assert busy.result(30)
    assert lanes.submit(thread).result(30) == first


def test_what_is_given_up_before_it_began_holds_no_thread() -> None:
    lanes, over = Lanes(1, "given-up"), threading.Event()
    busy = lanes.submit(over.wait, 30)
    assert lanes.submit(thread).cancel()
    over.set()
    assert busy.result(30)
    assert lanes.submit(thread).result(30)
