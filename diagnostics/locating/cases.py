"""Cases: a repository's state before a session, what the session was asked, the files that it then changed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from continuity.packs.facts import PackRequest
from continuity.packs.ranking import signals
from continuity.packs.signals import Columns
from continuity.packs.signals.neighbours import seeds
from continuity.packs.signals.sessions import EarlierSession, worked_together
from continuity.repository.limits import DEFAULT
from continuity.repository.state_reader import read_state, read_text
from diagnostics.evaluation.errors import EvaluationError
from handoffs.packs.earlier_work import EarlierTouch, earlier_session, touches
from handoffs.packs.session_files import messages_until, seconds, session_files


@dataclass(frozen=True, slots=True)
class LocatingCase:
    id: str
    repository: str
    base: str
    prompts: tuple[str, ...]
    changed: frozenset[str]


@dataclass(frozen=True, slots=True)
class Example:
    """The columns of one case: of its `first` prompt alone or all, with earlier `sessions` or without."""

    case: LocatingCase
    first: bool
    sessions: bool
    paths: tuple[str, ...]
    columns: Columns


def read_cases(file: Path) -> list[LocatingCase]:
    """Raises EvaluationError."""
    try:
        records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        return [LocatingCase(r["case"], r["repository"], r["base"], tuple(r["prompts"]), frozenset(r["changed"])) for r in records]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EvaluationError(f"{file} is no file of cases: {error}") from error


def examples(cases: list[LocatingCase], bundles: Path, sessions: Path | None, work: Path) -> Iterator[Example]:
    """Two of each case, or four where there are sessions, read in clones below `work`. The clones are ours: they are written to."""
    known = {path.name: tuple(touches(messages_until(path, None))) for path in session_files(sessions)} if sessions else {}
    for case in cases:
        yield from _examples_of(case, checked_out(case, bundles, work), known)


def _examples_of(case: LocatingCase, tree: Path, known: Mapping[str, Sequence[EarlierTouch]]) -> Iterator[Example]:
    root, state = read_state(tree)
    read = lru_cache(maxsize=None)(partial(read_text, root))
    places = {path: i for i, path in enumerate(state.files)}
    before = _before(case, known, float(state.commits[0].at) if state.commits else None, state.files)
    for first in (False, True):
        request = PackRequest.of("\n\n".join(case.prompts[:1] if first else case.prompts))
        _, found = signals(state, request, read, (), DEFAULT)
        yield Example(case, first, False, tuple(places), found)
        if known:
            yield Example(case, first, True, tuple(places), found | worked_together(before, places, seeds(found, len(places))))


def _before(
    case: LocatingCase, known: Mapping[str, Sequence[EarlierTouch]], until: float | None, files: Mapping[str, object]
) -> tuple[EarlierSession, ...]:
    """What sessions did before the commit, without the case's own."""
    found = []
    for name, touched in known.items():
        if case.id in name.replace("-", ""):
            continue
        if session := earlier_session(name, (touch for touch in touched if until is None or touch.at <= until), files):
            found.append(session)
    return tuple(found)


def checked_out(case: LocatingCase, bundles: Path, work: Path) -> Path:
    """The clone at the base commit; no other ref stays, so nothing later can be read."""
    tree = work / case.repository
    if not tree.exists():
        _git("clone", "-q", "--no-checkout", str(_bundle(case, bundles)), str(tree), cwd=work)
        _git("update-ref", "--no-deref", "HEAD", case.base, cwd=tree)
        for ref in _git("for-each-ref", "--format=%(refname)", cwd=tree).split():
            _git("update-ref", "-d", ref, cwd=tree)
    _git("update-ref", "--no-deref", "HEAD", case.base, cwd=tree)
    _git("read-tree", "HEAD", cwd=tree)
    # Goes on where an object is absent from what was stored.
    subprocess.run(["git", "checkout-index", "-a", "-f", "-q"], cwd=tree, capture_output=True, check=False)
    _git("clean", "-fdxq", cwd=tree)
    return tree


def before(case: LocatingCase, bundles: Path, work: Path, session: Path) -> LocatingCase:
    """The case at the last commit of the bundle's HEAD before the session of this file began; as it is where there is none."""
    began = next((seconds(message.at) for _, message in messages_until(session, None) if message.at), 0.0)
    head = _git("bundle", "list-heads", str(_bundle(case, bundles)), cwd=work).split()[0]
    found = _git("rev-list", "-1", f"--before={began:.0f}", head, cwd=checked_out(case, bundles, work)).strip()
    return replace(case, base=found) if found else case


def _bundle(case: LocatingCase, bundles: Path) -> Path:
    return (bundles / f"{case.repository}.bundle").resolve()


def _git(*arguments: str, cwd: Path) -> str:
    try:
        return subprocess.run(["git", *arguments], cwd=cwd, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise EvaluationError(f"git {arguments[0]} failed in {cwd.name}") from error
