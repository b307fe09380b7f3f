"""Claude Code's details beside a tool's result (`toolUseResult`), without the contents of files.

Names are the tool's own: `filePath`, `type`, `stdout`, `stderr`, `interrupted`, `exitCode`, `backgroundTaskId`, `agentId`,
`answers`, `plan`, `newTodos`, `oldTodos`, `task`, `tasks`, `statusChange` and so on. A `structuredPatch` keeps per hunk
`oldStart`, `oldLines`, `newStart`, `newLines`, `added` and `removed`, and beside it stand the totals `linesAdded` and
`linesRemoved`. A flag that is off is left out. `rejected` is ours: the person did not allow the tool to run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from continuity.transcripts.base.fields import count, listing, mapping, string
from continuity.transcripts.base.sanitise import clip

MAX_DATA = 16 * 1024
MAX_HUNKS = 60
MAX_FIELDS = 40

# contents of files and texts that the result itself or the call already has
_CONTENTS = frozenset({
    "content", "originalFile", "oldString", "newString", "prompt", "filenames", "matches", "result", "message", "file",
    "plan", "stdout", "stderr",
})  # fmt: skip
# kept whole where they fit, in this order of worth
_WHOLE = ("answers", "questions", "annotations", "newTodos", "task", "tasks", "statusChange", "updatedFields", "oldTodos")
_TEXTS = {"plan": 6000, "stderr": 2000, "stdout": 2000}
_SHORT = 500


def reduce_result(raw: Any) -> dict[str, Any]:
    """The useful part of a `toolUseResult`, at most 16 KB as JSON; empty where it is only a text or a list."""
    source = mapping(raw)
    kept = dict(islice(_short_fields(source), MAX_FIELDS))
    if source.get("success") is False:
        kept["success"] = False
    kept.update(_file_read(source))
    kept.update(_patch(source))
    # where there is only one of the two, it is the text of the result
    streams = ("stdout", "stderr") if string(source.get("stderr")).strip() else ()
    for key in ("plan", *streams):
        if text := string(source.get(key)):
            kept[key] = clip(text, _TEXTS[key])[0]
    room = MAX_DATA - _size(kept)
    for key in _WHOLE:
        if source.get(key) and (size := _size({key: source[key]})) <= room:
            kept[key] = source[key]
            room -= size
    return _bounded(kept)


def _short_fields(source: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((key, value) for key, value in source.items() if key not in _CONTENTS and len(key) <= 100 and _is_short(value))


def _is_short(value: Any) -> bool:
    """Whether a value is worth keeping as it is; a flag that is off says nothing."""
    return (isinstance(value, int | float) and value is not False) or (isinstance(value, str) and 0 < len(value) <= _SHORT)


def _file_read(source: Mapping[str, Any]) -> dict[str, Any]:
    file = mapping(source.get("file"))
    return {key: value for key in ("filePath", "startLine", "numLines", "totalLines") if _is_short(value := file.get(key))}


def _patch(source: Mapping[str, Any]) -> dict[str, Any]:
    hunks = [mapping(hunk) for hunk in listing(source.get("structuredPatch"))]
    if not hunks:
        created = string(source.get("content")) if source.get("type") == "create" else ""
        return {"linesAdded": created.count("\n") + (not created.endswith("\n"))} if created else {}
    summaries = [_hunk(hunk) for hunk in hunks]
    totals = {
        "linesAdded": sum(summary["added"] for summary in summaries),
        "linesRemoved": sum(summary["removed"] for summary in summaries),
    }
    return {"structuredPatch": summaries[:MAX_HUNKS], "hunks": len(hunks), **totals}


def _hunk(hunk: Mapping[str, Any]) -> dict[str, int]:
    lines = [line for line in listing(hunk.get("lines")) if isinstance(line, str)]
    place = {key: count(hunk.get(key)) for key in ("oldStart", "oldLines", "newStart", "newLines")}
    return {**place, "added": sum(line[:1] == "+" for line in lines), "removed": sum(line[:1] == "-" for line in lines)}


def _bounded(kept: dict[str, Any]) -> dict[str, Any]:
    """Halves the largest text, or drops the largest of the rest, until all fits."""
    while kept and _size(kept) > MAX_DATA:
        largest = max(kept, key=lambda key: _size(kept[key]))
        value = kept[largest]
        if isinstance(value, str) and len(value) > _SHORT:
            kept[largest] = clip(value, len(value) // 2)[0]
        else:
            del kept[largest]
    return kept


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
