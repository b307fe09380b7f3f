"""Groups of three to five that solve a task of several steps while agents fail: how many end well (SC-012). Pure, by the rules alone.

Scripts are made from a seed, so that each run plays the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from continuity.groups.limits import GroupLimits
from continuity.groups.model import GroupSituation, GroupSpeaker, PastTurn, SelectionOutcome
from continuity.groups.selection import choose
from continuity.groups.workflow import END, Workflow, read

SCRIPTS, MOST_TURNS, TARGET = 200, 60, 0.85
FIELDS = ("postgres", "dns", "python", "css", "invoices", "shipping")
# In one turn of five somebody dies, and is back after two more.
FAILS, AWAY = 0.2, 2


@dataclass(frozen=True, slots=True)
class PlayedScript:
    """One group: how many it had, how many failures there were, and whether all steps were done."""

    agents: int
    steps: int
    failures: int
    turns: int
    completed: bool


def play(*, seed: int = 1, scripts: int = SCRIPTS) -> Sequence[PlayedScript]:
    return [_play(Random(f"{seed}/{number}")) for number in range(scripts)]


def _play(chance: Random) -> PlayedScript:
    count = chance.randint(3, 5)
    names = [f"agent{number}" for number in range(count)]
    speakers = {name: GroupSpeaker(name, expertise=(FIELDS[place],), place=place) for place, name in enumerate(names)}
    steps = [_step(chance, number, names, count) for number in range(chance.randint(3, 6))]
    flow = read(steps)
    return _go(chance, speakers, flow, count)


def _step(chance: Random, number: int, names: Sequence[str], count: int) -> dict[str, Any]:
    if chance.random() < 0.5:
        return {"key": f"s{number}", "owner": chance.choice(names)}
    return {"key": f"s{number}", "expertise": [chance.choice(FIELDS[:count])]}


def _go(chance: Random, speakers: dict[str, GroupSpeaker], flow: Workflow, count: int) -> PlayedScript:
    step, failures, away = flow.first, 0, dict[str, int]()
    past: tuple[PastTurn, ...] = ()
    limits = GroupLimits(turns=MOST_TURNS)
    for turn in range(1, MOST_TURNS + 1):
        for name in [name for name, until in away.items() if until <= turn]:
            del away[name]
            speakers[name] = replace(speakers[name], status="ready")
        wanted = flow.step(step)
        situation = GroupSituation("expertise", tuple(speakers.values()), past=past, step=wanted.wanted if wanted else None)
        chosen = choose(situation, limits)
        if chosen.outcome == SelectionOutcome.NOBODY:
            continue
        if chosen.outcome == SelectionOutcome.PERSON:
            return PlayedScript(count, len(flow.steps), failures, turn, False)
        speakers[chosen.speaker] = replace(speakers[chosen.speaker], last_turn=turn)
        if chance.random() < FAILS:
            failures += 1
            away[chosen.speaker] = turn + AWAY
            speakers[chosen.speaker] = replace(speakers[chosen.speaker], status="disconnected")
            past = (*past, PastTurn(chosen.speaker, news=False))
            continue
        past = (*past, PastTurn(chosen.speaker))
        step = flow.after(step)
        if step == END:
            return PlayedScript(count, len(flow.steps), failures, turn, True)
    return PlayedScript(count, len(flow.steps), failures, MOST_TURNS, False)


def document(played: Sequence[PlayedScript]) -> dict[str, Any]:
    done = sum(each.completed for each in played)
    return {
        "groups": len(played),
        "completed": done,
        "share": round(done / len(played), 4),
        "failures": sum(each.failures for each in played),
        "turns": sum(each.turns for each in played),
        "target": TARGET,
    }
