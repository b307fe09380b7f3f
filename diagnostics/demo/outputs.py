"""Output of commands in the demo, where it follows from the files and the time: git, searches, listings, passing tests, levels, logs."""

from __future__ import annotations

import ast
import random
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from diagnostics.demo import coast
from diagnostics.demo.repository import Tree

Printed = Callable[[Tree, datetime, "re.Match[str]"], Iterable[str]]
DOTS, COLUMNS = 72, 79


def printed(command: str, tree: Tree, at: datetime) -> str | None:
    """What a command prints; None where that does not follow from the files."""
    for pattern, prints in _COMMANDS.items():
        match = re.fullmatch(pattern, command)
        if match:
            return "\n".join(prints(tree, at, match))
    return None


def tests_in(text: str) -> int:
    """How many cases the tests of a file are: what is parametrized counts as often as it has values."""
    cases = 0
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            own = 1
            for values in (call.args[1] for call in node.decorator_list if isinstance(call, ast.Call)):
                own *= len(values.elts) if isinstance(values, ast.List) else 1
            cases += own
    return cases


def cases(tree: Tree, paths: Sequence[str]) -> int:
    """How many cases of tests are in these files, or in all."""
    named = (path for path in tree.files if path.startswith("tests/test_") and (not paths or path in paths))
    return sum(tests_in(tree.files[path]) for path in named)


def _passing(tree: Tree, at: datetime, match: re.Match[str]) -> Sequence[str]:
    total, rows = cases(tree, match["paths"].split()), []
    for done in range(0, total, DOTS):
        dots = "." * min(DOTS, total - done)
        rows.append(dots + f"[{(done + len(dots)) * 100 // total:3d}%]".rjust(COLUMNS - len(dots)))
    seconds = 0.05 + total * random.Random(f"{at}").uniform(0.006, 0.009)
    return [*rows, f"{total} passed in {seconds:.2f}s"]


def _found(tree: Tree, at: datetime, match: re.Match[str]) -> Sequence[str]:
    word, *under = shlex.split(match["rest"])
    pattern = re.compile(word)
    return [
        f"{path}:{number}:{line}"
        for path, text in sorted(tree.files.items())
        if not under or path.startswith(tuple(under))
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]


_COMMANDS: Mapping[str, Printed] = {
    r"python -m pytest -q(?P<paths>(?: [\w/.]+)*)": _passing,
    r"rg -n (?P<rest>.+)": _found,
    r"git diff(?P<paths>.*)": lambda tree, at, match: [tree.diff(match["paths"].split())],
    r"git status --short": lambda tree, at, match: [tree.status()],
    r"git log --oneline -(?P<number>\d+)": lambda tree, at, match: map(str, tree.log[: int(match["number"])]),
    r'git add -A && git commit -m "(?P<subject>.*)"': lambda tree, at, match: [tree.commit(match["subject"])],
    r"git ls-files": lambda tree, at, match: sorted(tree.committed),
    r".*sqlite3 .*station_id = '(?P<id>\w+)' ORDER BY at DESC LIMIT (?P<number>\d+)\W*": lambda tree, at, match: coast.levels(
        match["id"], at, int(match["number"])
    ),
    r"ssh (?P<host>\S+) sudo journalctl -u tidewatch-read .*-n (?P<number>\d+)": lambda tree, at, match: coast.journal(
        match["host"], at, int(match["number"])
    ),
    r"sed -n (?P<first>\d+),(?P<last>\d+)p /tmp/stations\.xml": lambda tree, at, match: coast.feed()[
        int(match["first"]) - 1 : int(match["last"])
    ],
}


def shown(tree: Tree, path: str, lines: str) -> Sequence[tuple[int, str]]:
    """The lines of a file, all or `first-last`, with their numbers."""
    numbered = list(enumerate(tree.files[path].splitlines(), start=1))
    first, _, last = lines.partition("-")
    return numbered[int(first) - 1 : int(last)] if last else numbered
