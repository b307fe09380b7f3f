"""The schedule's sessions, each with the part of its theme that it covers and the repository as the ones before it left that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from diagnostics.demo import sessions
from diagnostics.demo.files import Tree
from diagnostics.demo.schedule import MODELS, OTHERS, DemoSession, Outcome
from diagnostics.demo.themes import Theme, themes


def stretch_of(key: str, planned: Sequence[DemoSession], number: int, now: datetime) -> sessions.Stretch:
    """What the session with that number of a piece of work covers."""
    theme, session = themes()[key], planned[number]
    before = _before(planned, number)
    first = 0 if before is None else _done(theme, planned, before)
    model = OTHERS[session.tool] if session.tool else theme.model
    asked = list(zip(theme.more, theme.replies, strict=True))[_turn(planned, number) :]
    return sessions.Stretch(
        theme=theme,
        first=first,
        last=_done(theme, planned, number),
        begin=session.begin(now),
        tool=session.tool or theme.tool,
        model=model,
        filled=int(session.filled * MODELS[model].window),
        seed=seed_of(theme, number),
        asked=asked[:1] if session.outcome is Outcome.RESUMED else asked,
        tree=Tree.of(theme.repo, theme.branch) if before is None else _tree_after(key, tuple(planned), before, now).copy(),
        blocked=bool(theme.blocked) and session.outcome is not Outcome.RESUMED,
    )


def seed_of(theme: Theme, number: int) -> str:
    return f"{theme.repo}-{theme.branch}-{number}"


def handed_over(planned: Sequence[DemoSession], number: int) -> int | None:
    """The session whose package this one goes on from."""
    return next((each for each in reversed(range(number)) if planned[each].outcome is not Outcome.NONE), None)


def _before(planned: Sequence[DemoSession], number: int) -> int | None:
    return handed_over(planned, number) if planned[number].fork else number - 1 if number else None


def _turn(planned: Sequence[DemoSession], number: int) -> int:
    """How many sessions went before it."""
    before = _before(planned, number)
    return 0 if before is None else 1 + _turn(planned, before)


def _done(theme: Theme, planned: Sequence[DemoSession], number: int) -> int:
    """How many steps are done at a session's end: it does at least one."""
    before = _before(planned, number)
    first = 0 if before is None else _done(theme, planned, before)
    return max(min(first, len(theme.steps) - 1) + 1, round(len(theme.steps) * planned[number].until))


@lru_cache(maxsize=32)
def _tree_after(key: str, planned: tuple[DemoSession, ...], number: int, now: datetime) -> Tree:
    stretch = stretch_of(key, planned, number, now)
    sessions.write(stretch)
    return stretch.tree
