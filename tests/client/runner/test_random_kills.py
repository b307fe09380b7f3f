"""Agents killed at any moment: they recover by themselves, each with the state that it had (SC-004)."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tests.client.runner.conftest import Runners
from tests.client.runner.test_real_server import Site, site
from tests.platform.running import eventually

__all__ = ["site"]

pytestmark = pytest.mark.processes
WAYS = (signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV, signal.SIGABRT)


@pytest.fixture
def runners(home: Path, site: Site) -> Iterator[Runners]:
    made = Runners(home, site.url, site.key)
    yield made
    made.end()


def strike(site: Site, runners: Runners, kills: int, agents: int, seed: int) -> tuple[int, int]:
    """How many of the kills were recovered from within a minute without anybody's help, and how many were made."""
    chance = Random(seed)
    file = runners.home / "agents.yaml"
    file.write_text("agents:\n" + "".join(f"  - {{name: k{number}, threshold: {kills}, window: 1}}\n" for number in range(agents)))
    kept = {f"k{number}": runners.agent(f"k{number}", "counter", options=("--config", str(file))) for number in range(agents)}
    assert all(site.is_in(name, "ready") for name in kept)
    recovered = made = 0
    for _ in range(kills):
        name = chance.choice(list(kept))
        time.sleep(chance.uniform(0, 2.5))  # also while it is being restored
        epoch, child = site.agent(name)["epoch"], runners.child_of(kept[name])
        if not child:
            continue  # It is dead already, and waits for its back-off.
        os.kill(child, chance.choice(WAYS))
        made += 1
        recovered += site.is_in(name, "ready", "active", epoch=epoch + 1, seconds=60)
    for name in kept:
        assert eventually(partial(has_begun, runners, name)), f"{name} goes on from its state"
    return recovered, made


def has_begun(runners: Runners, name: str) -> bool:
    """Whether the agent wrote down its starts, each a later one by its own state."""
    path = runners.home / f"{name}.starts"
    told = [int(line) for line in path.read_text().split()] if path.exists() else []
    assert told == sorted(set(told)), f"{name} lost its state: {told}"
    return bool(told)


def test_it_works(site: Site, runners: Runners) -> None:
    recovered, made = strike(site, runners, 5, 3, seed=1)
    assert recovered == made >= 4


@pytest.mark.long
def test_ninety_of_a_hundred_kills_are_recovered_from_by_themselves(site: Site, runners: Runners) -> None:
    recovered, made = strike(site, runners, 100, 8, seed=2)
    assert recovered >= 0.9 * made
    assert made >= 90
