"""Reading heartbeats of the usual form, quickly. Anything else is None here, and is read with all care elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

from continuity.services.agents.heartbeats import AT_ONCE, ReportedBeat
from continuity.services.agents.usage import ResourceUsage

_LONGEST_RUNNER, _LONGEST_NAME, _LAST_EPOCH = 120, 80, 2**31 - 1
_HEX = frozenset("0123456789abcdef")
_KNOWN = frozenset({"agent", "epoch", "instance", "working", "conversation_id", "probe", "used"})
_USED = {"cpu_cores": 100_000, "memory_bytes": 2**60, "disk_bytes_per_second": 2**60}


@dataclass(frozen=True, slots=True)
class PlainBeats:
    runner: str
    beats: list[ReportedBeat]


def plain_beats(body: bytes, acting: str) -> PlainBeats | None:
    """The beats of a call; `acting` is the instance that calls (NAME/EPOCH), "" where none is named: it must be one of those."""
    try:
        told = json.loads(body)
        runner, given = told.get("runner", ""), told["beats"]
        if told.keys() - {"runner", "beats"} or not isinstance(runner, str) or len(runner) > _LONGEST_RUNNER or "\0" in runner:
            return None
        if not isinstance(given, list) or not 1 <= len(given) <= AT_ONCE:
            return None
        beats = [_beat(each) for each in given]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    if acting and acting not in {f"{beat.agent}/{beat.epoch}" for beat in beats}:
        return None
    return PlainBeats(runner, beats)


def _beat(told: dict[str, Any]) -> ReportedBeat:
    """Raises ValueError and the like where it is no plain one."""
    agent, epoch, working = told["agent"], told["epoch"], told.get("working")
    plain = type(agent) is str and len(agent) <= _LONGEST_NAME and "\0" not in agent and type(epoch) is int and 0 <= epoch <= _LAST_EPOCH
    if not plain or not (working is None or type(working) is bool) or not _KNOWN.issuperset(told):
        raise ValueError("not plain")
    conversation, probe, used = told.get("conversation_id"), told.get("probe"), told.get("used")
    answer, ok = ("", True) if probe is None else (probe["id"], probe.get("ok", True))
    if type(ok) is not bool or (probe is not None and not (type(answer) is str and len(answer) == 32 and _HEX.issuperset(answer))):
        raise ValueError("not plain")
    about = None if conversation is None else _uuid(conversation)
    return ReportedBeat(agent, epoch, _uuid(told["instance"]), working, about, answer, ok, None if used is None else _used(used))


def _used(told: dict[str, Any]) -> ResourceUsage:
    numbers = told.keys() == _USED.keys() and {type(each) for each in told.values()} <= {int, float} and type(told["memory_bytes"]) is int
    if not numbers or not all(0 <= told[name] <= most for name, most in _USED.items()):
        raise ValueError("not plain")
    return ResourceUsage(**told)


# An instance beats all its life.
@lru_cache(maxsize=4096)
def _uuid(text: str) -> UUID:
    if type(text) is not str or len(text) != 36:
        raise ValueError("not plain")
    return UUID(text)
