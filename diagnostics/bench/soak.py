"""Handing off over and over in one process, to see whether its memory stays what it was."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from uuid import uuid4

from continuity.models import Team
from continuity.services.recording import conversations
from diagnostics.bench import material
from diagnostics.services import temporary_teams
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation

TEAM = "soak", "Soak"
CHAIN = 100  # hops before a new team: a team may open 1,000 conversations an hour
STEPS = 10
GROWTH = 0.05
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """What the process holds after `done` handoffs, in MB."""

    done: int
    rss_mb: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """`growth_mb` is the most that was held after the first look, above that look."""

    growth_mb: float
    flat: bool


def run(handoffs: int) -> Iterator[MemoryUse]:
    """Records a turn, prepares and resumes, `handoffs` times; gives the memory after each tenth of them."""
    every = max(1, handoffs // STEPS)
    done = 0
    temporary_teams.remove_leftovers(*TEAM)
    while done < handoffs:
        with temporary_teams.passing_team(*TEAM) as team:
            for _ in islice(_hops(team), min(CHAIN, handoffs - done)):
                done += 1
                if done % every == 0:
                    yield MemoryUse(done, rss_mb())


def _hops(team: Team) -> Iterator[None]:
    conversation = conversations.create(team=team, source_tool="bench")
    for turn in material.turns(uuid4().int % 1_000_000_000, CHAIN):
        conversations.append(team=team, conversation_id=conversation.id, messages=turn)
        handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
        conversation = resumption.resume(team=team, handoff_id=handoff.id).conversation
        yield


def verdict(memory: Sequence[MemoryUse]) -> Verdict:
    """The first look comes after a tenth of the work, when all that is loaded once is loaded. Raises ValueError on no looks."""
    if not memory:
        raise ValueError("no looks at the memory")
    first = memory[0].rss_mb
    growth = max(seen.rss_mb for seen in memory) - first
    return Verdict(round(growth, 1), growth <= first * GROWTH)


def rss_mb() -> float:
    """Memory of this process now; where the system does not tell (no /proc), the most that it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return round(peak / (MIB if sys.platform == "darwin" else 1024), 1)
    return round(pages * resource.getpagesize() / MIB, 1)
