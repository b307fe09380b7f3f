"""Actions that aider reports: edits applied or refused, commits, commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_FAILED_EDIT = re.compile(
    r"(?:# )?\d+ (?:SEARCH/REPLACE block|edit)s? failed to (?:match|apply)|The LLM did not conform to the edit format"
)
_FAILED_PATH = re.compile(r"(?:exactly match lines in|in file) (\S[^\n]{0,400})")
_DEEDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("edit_file", re.compile(r"Applied edit to (?P<path>\S[^\n]{0,1000})")),
    ("write_file", re.compile(r"(?:Creating empty file|Created new file|Creating new file) (?P<path>\S[^\n]{0,1000})")),
    ("commit", re.compile(r"Commit (?P<commit>[0-9a-f]{7,40}) (?P<message>[^\n]{0,1000})")),
    ("undo", re.compile(r"Removed: (?P<commit>[0-9a-f]{7,40}) (?P<message>[^\n]{0,1000})")),
    ("run_command", re.compile(r"Running (?P<command>(?!pip |git )\S[^\n]{0,4000})")),
)


@dataclass(frozen=True, slots=True)
class AiderAction:
    """A tool's name and what it was given; `text` is how aider tells of it."""

    name: str
    given: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    failed: bool | None = None


def read_actions(said: list[str]) -> Iterator[str | AiderAction]:
    """What aider says, each a text of one or more lines, as deeds; what is none comes as it is."""
    for text in said:
        yield _deed(text) or text


def _deed(text: str) -> AiderAction | None:
    first = text.split("\n", 1)[0]
    if "\n" in text and _FAILED_EDIT.match(first):
        path = _FAILED_PATH.search(text[:20_000])
        return AiderAction("edit_file", {"path": path.group(1).strip()} if path else {}, text, failed=True)
    for name, pattern in _DEEDS:
        found = pattern.fullmatch(first.strip()) if "\n" not in text else None
        if found:
            given = {key: value.strip() for key, value in found.groupdict().items()}
            return AiderAction(
                name, given, first.strip() if name in ("commit", "undo") else text, failed=None if name == "run_command" else False
            )
    return None
