"""Many agents on one key: where the strategy promises it no write is lost, and where it does not each overwrite is told."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F

from continuity.client.shared_state import SharedState, StateConflict
from continuity.models import StateVersion
from tests.client.sharing.test_shared_state import entry

pytestmark = pytest.mark.usefixtures("server")


def raised(by: dict[str, Any], plan: dict[str, Any]) -> dict[str, Any]:
    return {**plan, **by, "done": plan["done"] + 1}


def crowd(writers: int, seconds: float, most: int, strategy: str) -> tuple[int, int, int]:
    """Many raise one counter: how many writes went through, how many were told that they overwrote, how many were refused."""
    until = time.monotonic() + seconds

    def work(number: int) -> tuple[int, int, int]:
        done = overwrote = refused = 0
        shared = SharedState(folder=Path(f"writer-{number}"))
        while time.monotonic() < until and done < most:
            try:
                by = {} if strategy == "merge" else {"by": f"{number}, the {done + 1}th time"}
                told = shared.update("plan", partial(raised, by))
            except StateConflict:
                refused += 1
                shared.sync()
            else:
                assert not told.waiting
                done += 1
                overwrote += told.conflict == "overwritten"
        return done, overwrote, refused

    with ThreadPoolExecutor(writers) as pool:
        found = list(pool.map(work, range(writers)))
    return sum(each[0] for each in found), sum(each[1] for each in found), sum(each[2] for each in found)


def check_crowd(writers: int, seconds: float, most: int, strategy: str) -> None:
    merges = {"/done": "counter"} if strategy == "merge" else {}
    SharedState().put("plan", {"done": 0}, strategy=strategy, merges=merges)
    done, overwrote, _ = crowd(writers, seconds, most, strategy)
    row, versions = entry(), StateVersion.objects.filter(entry__key="plan")
    assert done > writers
    assert versions.count() == row.version == done + 1  # None was lost on its way, and none came twice.
    if strategy == "last_write_wins":
        # Whoever missed a version, one or several, was told that it overwrote them.
        assert overwrote == versions.filter(conflict="overwritten").count()
        assert not versions.filter(conflict="none", number__gt=1).exclude(base=F("number") - 1).exists()
    else:
        assert (overwrote, row.value["done"]) == (0, done)


@pytest.mark.parametrize("strategy", ["merge", "reject", "last_write_wins"])
def test_it_works(settings: Any, strategy: str) -> None:
    check_crowd(4, 30, 4, strategy)


@pytest.mark.long
@pytest.mark.parametrize("strategy", ["merge", "reject", "last_write_wins"])
def test_fifty_on_one_key_for_a_minute_lose_nothing_untold(settings: Any, strategy: str) -> None:
    settings.CONTINUITY_API_RATE, settings.STATE_MAX_VERSIONS = (10**6, 60), 10_000
    check_crowd(50, 60, 10**6, strategy)
