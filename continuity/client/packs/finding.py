"""The material of a repository for packs, in the form in which the server takes it. Contents go along only where the team lets them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from continuity.client import shapes
from continuity.packs.anchor import anchor_facts
from continuity.packs.context import ranked_files
from continuity.packs.delta import CountedChange, counted
from continuity.packs.facts import Reader
from continuity.packs.ranking import rank
from continuity.packs.signals.sessions import EarlierSession
from continuity.repository.changes import Changes, changes
from continuity.repository.state import RepositoryState
from continuity.repository.state_reader import read_state, read_text
from continuity.repository.words import cut

# Files in which people tell agents how to work here, by their name; those nearest to the root.
INSTRUCTIONS = frozenset(("claude.md", "agents.md", "gemini.md", ".cursorrules", "copilot-instructions.md"))
MOST_INSTRUCTIONS, TEXT = 4, 100_000
LINE, SUBJECTS, KEPT_TEXTS = 590, 10, 4_096


def material(folder: Path, prompt: str, *, since: str, first_head: str, asked: Mapping[str, Any]) -> tuple[dict[str, Any], int, int]:
    """The material for the server's answer `asked`; and how many lines differ from HEAD, and were committed since `first_head`."""
    root, state = read_state(folder)
    read: Reader = lru_cache(maxsize=KEPT_TEXTS)(partial(read_text, root))
    ranking = rank(state, prompt, read, sessions=_sessions(asked.get("sessions") or (), state))
    facts = anchor_facts(state, read)
    changed = changes(root, state, since)
    differing = _lines(map(counted, changes(root, state).files if since and since != state.head else changed.files))
    all_lines = _lines(map(counted, changes(root, state, first_head).files)) if first_head and first_head != state.head else differing
    found: dict[str, Any] = {
        "ranked": [
            {
                "path": file.path,
                "blob": state.files[file.path].blob,
                "size": state.files[file.path].size,
                "reasons": list(file.reasons),
                "symbols": [[line, words[:LINE]] for line, words in file.symbols],
            }
            for file in ranked_files(ranking, prompt)
        ],
        "places": [line[:LINE] for line in facts.places],
        "papers": [line[:LINE] for line in facts.papers],
        "named": list(facts.paths)[:200],
        "subjects": [cut(subject, LINE) for subject in changed.subjects[:SUBJECTS]],
        "gone": changed.gone,
        "present": [path for path in asked.get("paths") or () if path in state.files][:1_000],
    }
    return found | _changed(changed, state, read, contents=bool(asked.get("contents"))), differing, max(0, all_lines - differing)


def _changed(changed: Changes, state: RepositoryState, read: Reader, *, contents: bool) -> dict[str, Any]:
    if not contents:
        return {"counted": [_count(counted(file)) for file in changed.files]}
    whole = [file for file in changed.files if len(file.after) <= TEXT and len(file.before or "") <= TEXT]
    large = [_count(counted(file)) for file in changed.files if file not in whole]
    told = [{"path": file.path, "before": file.before, "after": file.after} for file in whole]
    return {"changes": told, "counted": large, "instructions": _instructions(state, read)}


def _instructions(state: RepositoryState, read: Reader) -> list[dict[str, str]]:
    paths = [path for path in state.files if path.rpartition("/")[2].lower() in INSTRUCTIONS]
    nearest = sorted(paths, key=lambda path: (path.count("/"), path))[:MOST_INSTRUCTIONS]
    return [{"path": path, "text": cut(text, TEXT)} for path in nearest if (text := read(path))]


def _sessions(told: Sequence[shapes.EarlierFiles], state: RepositoryState) -> list[EarlierSession]:
    """The actions of earlier sessions on files that are there."""
    found = []
    for each in told:
        edited, read = (tuple(path for path in each[name] if path in state.files) for name in ("edited", "read"))
        if edited or read:
            found.append(EarlierSession(each["id"], each["at"], edited, read))
    return found


def _count(change: CountedChange) -> dict[str, Any]:
    return {"path": change.path, "new": change.new, "added": change.added, "removed": change.removed}


def _lines(changed: Iterable[CountedChange]) -> int:
    return sum(each.added + each.removed for each in changed)
