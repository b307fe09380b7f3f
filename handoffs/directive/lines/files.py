"""The artifact trail as lines: paths grouped by what happened to them."""

from __future__ import annotations

import re

from continuity.knowledge.directive_parser.grammar import ABOUT_FILE, DEFINES, RENAMED_FROM
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.model import FileAction, FileTouch, Knowledge
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.wording import one_line
from handoffs.directive.references import References

CHANGING = frozenset((FileAction.CREATED, FileAction.MODIFIED, FileAction.DELETED, FileAction.RENAMED))
CHANGED_IMPORTANCE = 0.9
READ_IMPORTANCE = 0.15
SCRATCH_IMPORTANCE = 0.1
SYMBOLS = 6
# What a test defines helps nobody to find something.
_TESTS = re.compile(r"(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)", re.I)
READ = 8  # files that were only read, since the request in work was made
# Later touches come before earlier ones by at most this much.
RECENCY = 0.1


def file_candidates(knowledge: Knowledge, references: References) -> list[Candidate]:
    """One candidate per changed file, and the latest that the request in work had read; the most recently touched weigh most.

    What a predecessor touched (last_seq 0 and less) has no share of the recency, and comes in its order.
    """
    last = max((1, *(file.last_seq for file in knowledge.files)))
    rows = in_work(knowledge.requests)
    since = rows[0].seq if rows else 0
    needed = [file.path for file in knowledge.files if file.action is FileAction.READ and file.last_seq >= since][:READ]
    found = []
    for file in knowledge.files:
        if file.action is FileAction.READ and file.path not in needed:
            continue
        path = _relative(file.path, knowledge.situation.cwd)
        worth = _importance(file, path) + RECENCY * max(0, file.last_seq) / last
        shown = _renamed(file, path, knowledge.situation.cwd) + _about(file)
        item = PackageItem(references.file(file), file_key(file), shown, file.last_seq, 0, worth, label=str(file.action))
        found.append(Candidate(SectionKind.FILES, item))
    return found


def _about(file: FileTouch) -> str:
    """What was done in a file, as far as it is known."""
    told = []
    code = not (is_document(file.path) or _TESTS.search(file.path))
    symbols = [name for name in file.symbols if not name.lower().startswith("test")] if code else []
    if symbols and file.action in (FileAction.CREATED, FileAction.MODIFIED, FileAction.RENAMED):
        told.append(f"{DEFINES}{', '.join(symbols[-SYMBOLS:])}")
    return f"{ABOUT_FILE}{'; '.join(told)}" if told else ""


def is_test(path: str) -> bool:
    """Whether a file holds tests."""
    return _TESTS.search(path) is not None


def is_document(path: str) -> bool:
    """Whether a file holds words that no check of the code reads."""
    return path.lower().endswith((".md", ".txt", ".rst", ".adoc"))


def _importance(file: FileTouch, path: str) -> float:
    if is_scratch(path):
        return SCRATCH_IMPORTANCE
    return CHANGED_IMPORTANCE if file.action in CHANGING else READ_IMPORTANCE


def file_key(file: FileTouch) -> str:
    return f"{file.action}:{file.path}"


def shown_path(file: FileTouch, cwd: str) -> str:
    """The path from the working directory, where it lies in it; a rename shows both ends, an edit its lines."""
    return _renamed(file, _relative(file.path, cwd), cwd)


def _renamed(file: FileTouch, path: str, cwd: str) -> str:
    if file.action is FileAction.RENAMED and file.note:
        return _relative(file.note, cwd).join((f"{path}{RENAMED_FROM[0]}", RENAMED_FROM[1]))
    return path


def _relative(path: str, cwd: str) -> str:
    within = f"{cwd.rstrip('/')}/"
    return one_line(path.removeprefix(within) if cwd and cwd != "/" else path)
