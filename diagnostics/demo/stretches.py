"""The schedule's sessions, each with its script and the repository as the ones before it left that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from diagnostics.demo import sessions
from diagnostics.demo.repository import FIRST, Tree
from diagnostics.demo.schedule import OTHERS, PEOPLE, SCHEDULE, DemoSession, Outcome
from diagnostics.demo.scripts import Theme, program, theme


def stretch_of(key: str, planned: Sequence[DemoSession], number: int, now: datetime) -> sessions.Stretch:
    """The session with that number of a piece of work."""
    found, session = theme(key), planned[number]
    before = _before(planned, number)
    return sessions.Stretch(
        theme=found,
        steps=found.sessions[number],
        begin=session.begin(now),
        tool=session.tool or found.tool,
        model=OTHERS[session.tool] if session.tool else found.model,
        cwd=PEOPLE[session.by or found.by].folder,
        seed=seed_of(key, number),
        tree=(_merged(found) if before is None else _tree_after(key, before)).copy(),
    )


def seed_of(key: str, number: int) -> str:
    return f"{key}-{number}"


def handed_over(planned: Sequence[DemoSession], number: int) -> int | None:
    """The session whose package this one goes on from."""
    return next((each for each in reversed(range(number)) if planned[each].outcome is not Outcome.NONE), None)


def _before(planned: Sequence[DemoSession], number: int) -> int | None:
    return handed_over(planned, number) if planned[number].fork else number - 1 if number else None


def _merged(found: Theme) -> Tree:
    """A new branch from what was merged before it."""
    if not found.base:
        return Tree.of(found.branch, program(), FIRST)
    base = theme(found.base)
    ends = [number for number, session in enumerate(SCHEDULE[found.base]) if not session.fork]
    log = [base.merged, *map(str, _merged(base).log)]
    return Tree.of(found.branch, _tree_after(found.base, ends[-1]).committed, log)


@lru_cache(maxsize=64)
def _tree_after(key: str, number: int) -> Tree:
    stretch = stretch_of(key, SCHEDULE[key], number, datetime.now().astimezone())
    sessions.write(stretch)
    return stretch.tree
