"""The demo's agents and what they did: one died and was replaced, three looked for a cause together. All of them ended."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from diagnostics.demo.schedule import working_time

CHECK = "checked-months"  # its script
# The pieces of work that the check and the incident belong to.
CHECKED, EXPLAINED = "partitions", "status"
# They end so long after the last word of what they worked on.
ENDED = timedelta(minutes=4)


@dataclass(frozen=True, slots=True)
class DemoAgent:
    """`given` is what it is registered with."""

    name: str
    given: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CheckedMonths:
    """`first` dies so long after its last message, and `second` goes on."""

    days: int
    hour: float
    runner: str
    title: str
    died_after: int
    first: str
    second: str

    def begin(self, now: datetime) -> datetime:
        return working_time(now, self.days, self.hour)


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """What an agent says `after` so many seconds; `to_step` ends the workflow's step."""

    who: str
    after: int
    text: str
    to_step: str | None = None
    done: bool = False


@dataclass(frozen=True, slots=True)
class ScriptedValue:
    """What an agent writes into the group's state in that turn, having read version `base`."""

    turn: int
    key: str
    author: str
    value: Any
    base: int | None = None
    strategy: str | None = None


@dataclass(frozen=True, slots=True)
class GroupIncident:
    """What a person asked a group of agents, how they found it out, and what was left to a person."""

    days: int
    hour: float
    happened: int
    runner: str
    title: str
    asked_by: str
    agents: Sequence[str]
    asked: str
    thanked: str
    steps: Sequence[Mapping[str, Any]]
    turns: Sequence[ScriptedTurn]
    states: Sequence[ScriptedValue]

    def begin(self, now: datetime) -> datetime:
        return working_time(now, self.days, self.hour)

    def told(self, text: str, now: datetime) -> str:
        """A text with the day on which it happened."""
        return text.strip().format(at=working_time(now, self.happened, 0))


@lru_cache(maxsize=1)
def _written() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("agents.toml").read_text("utf-8"))


def agents() -> Mapping[str, DemoAgent]:
    return {told["name"]: DemoAgent(told["name"], {key: told[key] for key in told if key != "name"}) for told in _written()["agents"]}


def check() -> CheckedMonths:
    return CheckedMonths(**_written()["check"])


def incident() -> GroupIncident:
    told = dict(_written()["incident"])
    turns = [ScriptedTurn(**each) for each in told.pop("turns")]
    states = [ScriptedValue(**each) for each in told.pop("states")]
    return GroupIncident(**told, turns=turns, states=states)
