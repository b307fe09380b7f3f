"""What is not there, where that is sure: new functions that no new test is named after, though others are."""

from __future__ import annotations

import re

from continuity.knowledge.extractors.shell.paths import is_document, is_scratch, is_test
from continuity.knowledge.extractors.tools.files import SYMBOLS
from continuity.knowledge.model import FileTouch, Knowledge
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.checks import changed_files
from handoffs.directive.lines.message_lines import detail_line
from handoffs.directive.lines.quoting import as_name

LABEL = "untested"
WORTH = 0.6
NAMED, MOST = 2, 4  # functions that tests are named after, from which this is how tests are named here, and those without one that are told
_DEFINES = r"\b(?:func|def|fn|function|fun)\s+(?:\([^)]*\)\s*)?{name}\b"
_PREFIX = re.compile(r"^(?:test|it|should)_*", re.I)


def absence_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """One line, where tests were written for the request in work that are named after some of its new functions and not after others."""
    rows = in_work(knowledge.requests)
    if not rows or not limits.earlier or (knowledge.note is not None and rows[0].seq <= knowledge.note.through_seq):
        return []
    files = [file for file in changed_files(knowledge) if file.last_seq >= rows[0].seq and not is_document(file.path)]
    files = [file for file in files if not is_scratch(file.path) and file.symbols]
    tests = [file for file in files if is_test(file.path)]
    if not tests or any(len(file.symbols) >= SYMBOLS for file in files):
        return []  # of some of them the names are not known
    named = {_plain(_PREFIX.sub("", symbol)) for file in tests for symbol in file.symbols}
    found = [name for file in files if not is_test(file.path) for name in _functions(file, knowledge)]
    with_test = {name for name in found for test in named if _is_after(test, name, found)}
    said = _plain("\n".join(row.outcome.text for row in knowledge.requests if row.outcome is not None))
    left = [name for name in found if name not in with_test and not name.startswith("_") and f"test{_plain(name)}" not in said]
    if len(with_test) < NAMED or not 0 < len(left) <= MOST:
        return []
    return [detail_line(SectionKind.TASKS, LABEL, ", ".join(map(as_name, left)), max(file.last_seq for file in tests), WORTH)]


def _functions(file: FileTouch, knowledge: Knowledge) -> list[str]:
    """The new names of a file that what is kept of its change shows to be functions."""
    now = knowledge.situation
    shown = "\n".join(edit.body for edit in (*now.sketches, *now.hunks, *now.edits) if edit.path == file.path)
    return [name for name in dict.fromkeys(file.symbols) if re.search(_DEFINES.format(name=re.escape(name)), shown)]


def _is_after(test: str, name: str, every: list[str]) -> bool:
    """Whether a test is named after a function: it begins with its name, and with no longer one's."""
    names = [each for each in every if test.startswith(_plain(each))]
    return bool(names) and max(names, key=len) == name


def _plain(name: str) -> str:
    return name.replace("_", "").lower()
