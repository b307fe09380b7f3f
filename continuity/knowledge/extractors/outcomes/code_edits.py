"""Code in flux: the newest edits of the step that is neither committed nor checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from continuity.knowledge.evidence import CodeEdit
from continuity.knowledge.extractors.outcomes import changed_lines, code_excerpts, undone_edits
from continuity.knowledge.extractors.outcomes.code_sketches import added_to, sketch
from continuity.knowledge.extractors.outcomes.marked_lines import ELIDED, added, fitted, marked, of_hunks, of_patch
from continuity.knowledge.extractors.shell.parser import Simple, parse, script_of
from continuity.knowledge.extractors.shell.paths import relative
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.language.clip import clip
from continuity.knowledge.model import FileAction
from continuity.knowledge.state.open_items import Effect, Pending
from continuity.knowledge.state.step import FoldStep

NEWEST, BODY = 2400, 1200  # characters of the newest edit, and of those before it
DRAFT, ALONE = 2400, 8000  # and of one whose result is out; where it is the only one
PAIRS = 12  # replacements of one call
NAMES = 8
PATH = 200
FILES = 4  # of one call, the last ones
PATCH = 60_000  # characters of a patch

_OLD = ("old_string", "old_str", "oldString", "old_text", "search")
_NEW = ("new_string", "new_str", "newString", "new_text", "replace")
_WHOLE = ("content", "file_text", "contents", "text")
_FILE = re.compile(
    r"^(?:\*\*\* (?:Add|Update) File: (?P<path>[^\n]{1,400}?)[ \t\r]*|--- [^\n]*\n\+\+\+ (?:b/)?(?P<new>[^\s]+)[^\n]*)$", re.M
)
_IN_PLACE = frozenset(("sed", "perl", "gsed"))
_CHANGES = frozenset((FileAction.CREATED, FileAction.MODIFIED, FileAction.RENAMED))


def drafted(step: FoldStep, key: str, name: str, given: Mapping[str, Any], pending: Pending) -> None:
    """Keep what a call would change until its result tells whether it did."""
    effects = [each for each in pending.effects if each.action in _CHANGES]
    if not effects:
        return
    if pending.command:
        found = _of_shell(script_of(given.get("command") or given.get("cmd") or given.get("script") or given.get("raw") or ""), effects)
    elif name in tool_names.PATCH:
        found = _of_patch(tool_names.first(given, "input", "patch", "patchText", "raw", "diff", "content"))
    else:
        found = [(effects[-1].path, _of_tool(given))]
    symbols = {each.path: each.symbols for each in effects}
    for number, (path, lines) in enumerate(found[-FILES:]):
        if lines:
            room = DRAFT if step.state.drafts or not all(map(str.isascii, lines)) else ALONE  # the map of drafts has to hold it
            body = clip(fitted(lines, room), room)
            told = clip(relative(path, pending.subject, step.state.root), PATH)
            cut = sum(len(line) + 1 for line in lines) > room
            draft = CodeEdit(told, step.seq, body, symbols.get(path, ())[:NAMES], sketch=sketch(told, lines), cut=cut)
            step.state.drafts.put(f"{key}#{number}", draft)


def ended(step: FoldStep, key: str, *, failed: bool, data: Mapping[str, Any]) -> None:
    """Take over the edits whose call succeeded."""
    drafts, edits = step.state.drafts, step.state.edits
    for name in [name for name in drafts if name.startswith(f"{key}#")]:
        draft = drafts.pop(name)
        if draft is None or failed:
            continue
        lines, begins = of_hunks(data.get("structuredPatch"))
        edited = lines or draft.body.split("\n")
        body = clip(fitted(edited, NEWEST), NEWEST)
        rows = step.state.touches.among((f"created:{draft.path}",))
        for known, before in edits.items()[-1:]:
            if len(before.body) > BODY:
                edits.replace(known, replace(before, body=fitted(before.body.split("\n"), BODY)))
        edit = replace(draft, body=body, created=any(row.seq >= draft.seq for row in rows), line=begins, cut=draft.cut and not lines)
        added_to(step, replace(edit, sketch=sketch(edit.path, lines)) if lines else edit, edited)
        changed_lines.added_to(step, edit, edited)
        code_excerpts.changed(step, edit.path, edited)
        undone_edits.added_to(step, edit, edited)
        edits.put(name, replace(edit, sketch="", cut=False))


def finished(step: FoldStep) -> None:
    """A commit or a passing check ends the step."""
    step.state.edits.clear()


def _of_tool(given: Mapping[str, Any]) -> list[str]:
    if isinstance(given.get("diff"), str):
        return of_patch(given["diff"])
    edits = given.get("edits")
    pairs = [each for each in edits[:PAIRS] if isinstance(each, Mapping)] if isinstance(edits, (list, tuple)) else [given]
    found = [line for pair in pairs for line in (*marked(_text(pair, _OLD), _text(pair, _NEW)), ELIDED)]
    while found[-1:] == [ELIDED]:
        found.pop()
    return found or added(_text(given, _WHOLE))


def _text(given: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((value for name in names if isinstance(value := given.get(name), str)), "")


def _of_patch(text: str) -> list[tuple[str, list[str]]]:
    """Each file of a patch with its marked lines."""
    heads = list(_FILE.finditer(text[:PATCH]))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return [(head["path"] or head["new"], of_patch(text[head.end() : end])) for head, end in zip(heads, ends, strict=True)]


def _of_shell(script: str, effects: list[Effect]) -> list[tuple[str, list[str]]]:
    """What a script writes: its here-documents, its patch, or the command that edits in place."""
    found: list[tuple[str, list[str]]] = []
    for command in parse(script):
        if command.program in ("apply_patch", "applypatch", "patch") or command.words[:2] == ["git", "apply"]:
            found += _of_patch(command.body or " ".join(command.words[1:]))
        elif command.body and (target := _written(command, effects)):
            found.append((target, added(command.body)))
        elif command.program in _IN_PLACE and any(word.startswith("-i") or word == "--in-place" for word in command.words):
            found += [(each.path, [f"$ {' '.join(command.words)}"]) for each in effects if each.path in command.words][-1:]
    return found


def _written(command: Simple, effects: list[Effect]) -> str:
    """The file into which a command writes its here-document."""
    named = [*command.writes, *command.appends, *(command.words[1:] if command.program == "tee" else ())]
    return next((each.path for path in named for each in effects if path and each.path.endswith(path)), "")


def dropped(step: FoldStep) -> None:
    """Calls that were interrupted changed nothing that is known."""
    step.state.drafts.clear()
