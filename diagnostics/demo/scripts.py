"""Scripts of the demo's sessions: a text file for each piece of work, with what was said, read, changed and run, step by step.

A file begins with lines `name: value`. A line `#### …` begins a session, and a line `:: KIND WHAT +SECONDS` a step, whose words are the
lines below it: `person` and `agent` say them, `plan` lists tasks, `read` and `write` take a path, `edit` has the old lines, `~~~` and the
new ones, `run` a command with what it prints, where that does not follow from the files; `run(1)` is its exit code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from diagnostics.demo.dialects import BOXES

FOLDER = Path(__file__).parent
_HEAD = re.compile(r":: (?P<kind>\w+)(?:\((?P<code>\d+)\))? ?(?P<what>.*?)(?: ?\+(?P<wait>\d+))?$")


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """`wait` is how many seconds it takes, where it is told; `code` is the exit code of what is run."""

    kind: str
    what: str
    body: str
    wait: int | None
    code: int

    @property
    def replacement(self) -> tuple[str, str]:
        """Of an edit: the old text and the new one."""
        old, new = f"\n{self.body}\n".split("\n~~~\n")
        return old.removeprefix("\n"), new.removesuffix("\n")

    @property
    def todos(self) -> Sequence[tuple[str, str]]:
        return [(line[4:], BOXES[line[1]]) for line in self.body.splitlines()]


@dataclass(frozen=True, slots=True)
class Theme:
    """One piece of work, in as many sessions as it took. `base` was merged before it began; `merged` is its own commit there."""

    title: str
    by: str
    tool: str
    model: str
    branch: str
    sessions: Sequence[Sequence[ScriptStep]]
    base: str = ""
    merged: str = ""


@lru_cache(maxsize=32)
def theme(key: str) -> Theme:
    head, *sessions = re.split(r"^####.*\n", (FOLDER / "work" / f"{key}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    told = dict(line.split(": ", 1) for line in head.splitlines() if line)
    return Theme(**told, sessions=[_steps(session) for session in sessions])


def _steps(session: str) -> Sequence[ScriptStep]:
    found = []
    for block in re.split(r"^(?=:: )", session, flags=re.MULTILINE)[1:]:
        head, _, body = block.partition("\n")
        match = _HEAD.fullmatch(head)
        if match is None:
            raise ValueError(f"no step: {head}")
        wait = int(match["wait"]) if match["wait"] else None
        found.append(ScriptStep(match["kind"], match["what"], body.strip("\n"), wait, int(match["code"] or 0)))
    return found


def program() -> Mapping[str, str]:
    """The files of the made-up program, as they were a fortnight ago: name and text."""
    named = re.split(r"^=== (.*)\n", (FOLDER / "program.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(named[::2], named[1::2], strict=True))
