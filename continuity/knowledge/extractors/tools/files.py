"""The artifact trail: which paths were created, modified, deleted, renamed and read."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.extractors.outcomes import file_states, work_parts
from continuity.knowledge.extractors.shell.paths import relative
from continuity.knowledge.model import FileAction, FileTouch, FileTouched
from continuity.knowledge.state.open_items import Effect
from continuity.knowledge.state.step import EPOCH, FoldStep

SYMBOLS = 16  # names kept of one path
DELETED = 40  # files that go with their directory
DEEP = 10  # directories of a full path, from its end, in which a shorter one is sought

_DEFINING = (FileAction.CREATED, FileAction.MODIFIED, FileAction.RENAMED)
_EXISTS = frozenset({"read", "made"})


def touch(step: FoldStep, effect: Effect, cwd: str) -> None:
    """Enter one effect; a write to a path that is known to exist modifies it, one to an unknown path creates it."""
    state = step.state
    path = _known_as(step, relative(effect.path, cwd, state.root), effect.path, cwd)
    if not path or path == ".":
        return
    action = effect.action
    if action is not FileAction.READ:
        state.begun, state.deed = True, step.seq
    if action is FileAction.CREATED and (state.known.get(digest(path)) in _EXISTS):
        action = FileAction.MODIFIED
    note = relative(effect.note, cwd, state.root) if action is FileAction.RENAMED else effect.note
    state.known.put(digest(path), "gone" if action is FileAction.DELETED else "made" if action is not FileAction.READ else "read")
    if action is FileAction.RENAMED:
        state.known.put(digest(note), "gone")
    file_states.touched(step, path, action, note if action is FileAction.RENAMED else "")
    if action is not FileAction.READ:
        work_parts.touched(step, path)
    for below in _below(step, path) if action is FileAction.DELETED else ():
        record(step, below, action, "")
    record(step, path, action, note, effect.symbols)
    if effect.removed:
        _undefine(step, path, frozenset(effect.removed))


def _below(step: FoldStep, path: str) -> list[str]:
    """The changed files within a directory that is deleted."""
    rows = [row for row in step.state.touches.values() if row.path.startswith(f"{path}/") and row.action is not FileAction.READ]
    return list(dict.fromkeys(row.path for row in rows))[:DELETED]


def _known_as(step: FoldStep, path: str, given: str, cwd: str) -> str:
    """The name under which a path is known already. A tool may mean it from where the session began, whatever directory it is in by now;
    and where no directory is known, a file is known by the end of its full path, or by all of it."""
    known, root = step.state.known, step.state.root
    if known.get(digest(path)) is not None:
        return path
    if root:
        other = relative(given, root, root)
        return other if cwd != root and not given.startswith("..") and known.get(digest(other)) is not None else path
    if path.startswith("/"):
        pieces = path.split("/")
        ends = ("/".join(pieces[place:]) for place in range(max(1, len(pieces) - DEEP), len(pieces) - 1))
        return next((end for end in ends if known.get(digest(end)) is not None), path)
    if "/" not in path or path.startswith("~"):
        return path
    full = {row.path for row in step.state.touches.values() if row.path.startswith("/") and row.path.endswith(f"/{path}")}
    return full.pop() if len(full) == 1 else path


def record(step: FoldStep, path: str, action: FileAction, note: str, symbols: tuple[str, ...] = ()) -> None:
    """Enter what happened to a path as it is told, without holding it against what is known."""
    state = step.state
    epoch = (step.seq - 1) // EPOCH  # a checkpoint closes an epoch with its last message
    if epoch != state.epoch:
        state.touches.clear()
        state.epoch = epoch
    name = f"{action.value}:{path}"
    row = state.touches.get(name)
    if row is None:
        row = FileTouch(path, action, step.seq, step.seq, epoch, 1, note, symbols)
    else:
        names = tuple(dict.fromkeys((*row.symbols, *symbols)))[-SYMBOLS:]
        row = replace(row, last_seq=step.seq, count=row.count + 1, note=note or row.note, symbols=names)
    state.touches.put(name, row)
    step.changes.append(FileTouched(row))


def _undefine(step: FoldStep, path: str, removed: frozenset[str]) -> None:
    """A file defines these names no longer: whatever was done to it since the last checkpoint told of them."""
    for action in _DEFINING:
        key = f"{action.value}:{path}"
        row = step.state.touches.get(key)
        if row is not None and removed & set(row.symbols):
            row = replace(row, symbols=tuple(name for name in row.symbols if name not in removed))
            step.state.touches.replace(key, row)
            step.changes.append(FileTouched(row))


def define(step: FoldStep, told: list[tuple[str, tuple[str, ...]]]) -> None:
    """Give files that are known as changed, by their last name, the names that are told to be defined in them."""
    names = dict(told)
    for key, row in step.state.touches.items():
        symbols = names.get(row.path.rsplit("/", 1)[-1], ())
        if row.action is not FileAction.READ and not set(symbols) <= set(row.symbols):
            row = replace(row, symbols=tuple(dict.fromkeys((*row.symbols, *symbols)))[-SYMBOLS:])
            step.state.touches.replace(key, row)
            step.changes.append(FileTouched(row))
