"""Distinctive names in a text: what a session calls its files, identifiers and commits."""

from __future__ import annotations

import re
from collections.abc import Iterator

SHORTEST = 7
HASH_PREFIX = 12

_WORD = re.compile(r"\w+")
_COMPOUNDS = tuple(
    re.compile(pattern)
    for pattern in (
        r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+",  # snake_case
        r"[a-z]+(?:[A-Z][a-z0-9]+)+",  # camelCase
        r"(?:[A-Z][a-z0-9]+){2,}",  # PascalCase
    )
)
_HASH = re.compile(r"[0-9a-f]{7,40}")

_PATH_RUN = re.compile(r"[\w@~./\-]+")
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}\b")
_PATH = re.compile(r"[\w@~.\-]*(?:/[\w@.\-]+)*/?[\w@\-]+" + _ENDING.pattern)
_NUMBER = re.compile(r"[\d.]+\w?")

# Words of the tools' own interfaces: every session of a tool uses them, so they say nothing about this one.
INTERFACE = frozenset(
    """
    file_path old_string new_string replace_all tool_use tool_result output_mode head_limit subagent_type run_in_background
    todo_write in_progress activeForm exec_command max_output_tokens yield_time_ms session_id write_stdin update_plan apply_patch
    AskUserQuestion TodoWrite multiSelect
    """.split()  # noqa: SIM905  (a word list is read as words)
)


def names_in(text: str) -> set[str]:
    """File names without their folders, compound identifiers, and hashes cut to twelve digits."""
    found = set(_file_names(text))
    for match in _WORD.finditer(text):
        word = match.group()
        if len(word) < SHORTEST or word.isdigit():
            continue
        if _HASH.fullmatch(word):
            found.add(word[:HASH_PREFIX])
        if word not in INTERFACE and any(compound.fullmatch(word) for compound in _COMPOUNDS):
            found.add(word)
    return found


def _file_names(text: str) -> Iterator[str]:
    for run in _PATH_RUN.finditer(text):
        # A path ends with an ending: looking no further keeps long runs without one (tokens, base64) cheap.
        end = max((ending.end() for ending in _ENDING.finditer(run.group())), default=0)
        for path in _PATH.finditer(run.group(), 0, end):
            name = path.group().rsplit("/", 1)[-1]
            if len(name) > 4 and not _NUMBER.fullmatch(name):
                yield name
