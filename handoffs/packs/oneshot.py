"""A repository, a request and earlier sessions to ranked files and the three packs, without a database: what `manage.py pack` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from continuity.packs.anchor import anchor
from continuity.packs.context import context
from continuity.packs.delta import delta
from continuity.packs.fill import ANCHOR, CONTEXT, DELTA, WHOLE
from continuity.packs.lessons import Failing, Lesson
from continuity.packs.ranking import rank
from continuity.packs.signals.sessions import EarlierSession
from continuity.repository.changes import Changes, changes
from continuity.repository.identity import RepositoryIdentity
from continuity.repository.state import RepositoryState
from continuity.repository.state_reader import read_state, read_text
from continuity.secrets import mask_text
from handoffs.packs.earlier_work import earlier_session, touches
from handoffs.packs.serving.material import within
from handoffs.packs.session_files import messages_until, session_files
from handoffs.packs.session_lessons import MESSAGES, learned
from handoffs.packs.written_rules import written_rules

# Sessions that are folded for what they learned: the latest, and those that worked on the files that rank first.
LATEST, ABOUT, FOLDED_MESSAGES = 6, 6, 6_000
RANKED_FIRST = 10
KEPT_TEXTS = 4_096


@dataclass(frozen=True, slots=True)
class Packs:
    """`files` are ranked best first; the texts may be empty."""

    identity: RepositoryIdentity
    head: str
    files: tuple[str, ...]
    anchor: str
    context: str
    delta: str


def packs_of(
    repository: Path,
    prompt: str,
    *,
    budget: int = WHOLE,
    since: str = "",
    sessions: Path | None = None,
) -> Packs:
    """`budget` is in bytes, for the three texts together: a quarter is the anchor's, what the anchor and the delta leave the context's.

    Of `sessions` only what was said before the commit that the repository stands at counts: an older state is answered as it would have
    been then. Raises OSError where a folder can't be read.
    """
    root, state = read_state(repository)
    read = lru_cache(maxsize=KEPT_TEXTS)(partial(read_text, root))
    until = float(state.commits[0].at) if state.commits else None
    worked = _worked(sessions, until, state) if sessions else {}
    ranking = rank(state, prompt, read, sessions=tuple(worked))
    always, about, failing = _learned(worked, until, ranking.paths[:RANKED_FIRST], state)
    budget = min(budget, WHOLE)
    first = mask_text(anchor(state, read, rules=written_rules(state, read), lessons=always, budget=min(ANCHOR, budget // 4)))
    last = mask_text(delta(_masked(changes(root, state, since)), failing, min(DELTA, budget // 4)))
    left = budget - len(first.encode()) - len(last.encode())
    middle = within(mask_text(context(ranking, prompt, about, min(CONTEXT, left))), min(CONTEXT, left))
    return Packs(state.identity, state.head, ranking.paths, within(first, ANCHOR), middle, within(last, DELTA))


def _masked(changed: Changes) -> Changes:
    """Searched for secrets as whole files: lines from the middle of a key are not known as one."""
    files = (
        replace(file, before=None if file.before is None else mask_text(file.before), after=mask_text(file.after)) for file in changed.files
    )
    return replace(changed, files=tuple(files))


def _worked(folder: Path, until: float | None, state: RepositoryState) -> dict[EarlierSession, Path]:
    """Sessions that worked on files of this repository, the latest first, with their files."""
    found = {}
    for path in session_files(folder):
        session = earlier_session(path.name.partition(".")[0], touches(messages_until(path, until)), state.files)
        if session is not None:
            found[session] = path
    return dict(sorted(found.items(), key=lambda each: (-each[0].at, each[0].id)))


def _learned(
    worked: Mapping[EarlierSession, Path], until: float | None, first: Sequence[str], state: RepositoryState
) -> tuple[list[Lesson], list[Lesson], tuple[Failing, ...]]:
    """Lessons of the latest sessions, which no request changes; with them those of sessions about the files that rank first; what
    failed at the end of the latest. Each the latest first, and each text once. The files are read again: all their messages would take
    more memory the more sessions there are."""
    wanted = frozenset(first)
    latest = list(worked)[:LATEST]
    about = [session for session in list(worked)[LATEST:] if not wanted.isdisjoint(session.edited)][:ABOUT]
    always: dict[str, Lesson] = {}
    further: dict[str, Lesson] = {}
    failing: tuple[Failing, ...] = ()
    left = FOLDED_MESSAGES
    for number, session in enumerate((*latest, *about)):
        messages = messages_until(worked[session], until)[-MESSAGES:]
        if len(messages) > left:
            continue
        left -= len(messages)
        lessons, fails = learned(session.id, messages, state.files)
        failing = fails if number == 0 else failing
        for lesson in reversed(lessons):
            further.setdefault(lesson.text, lesson)
            if number < len(latest):
                always.setdefault(lesson.text, lesson)
    return list(always.values()), list(further.values()), failing


def as_json(packs: Packs) -> Mapping[str, object]:
    return {
        "repository": packs.identity.as_json(),
        "head": packs.head,
        "files": list(packs.files),
        "anchor": packs.anchor,
        "context": packs.context,
        "delta": packs.delta,
    }
