"""The artifact trail as lines: paths grouped by what happened to them; and the files that the person named and nobody opened."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.directive_parser.grammar import ABOUT_FILE, DEFINES, RENAMED_FROM
from continuity.knowledge.extractors.shell.paths import is_document, is_scratch, is_test
from continuity.knowledge.language.sentences import lowered, split
from continuity.knowledge.model import FileAction, FileTouch, Knowledge, Request, RequestKind
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
READ = 8  # files that were only read, since the request in work was made
# Later touches come before earlier ones by at most this much.
RECENCY = 0.1
NAMED = 4  # told by name
LONGEST = 600  # characters of words that ask for something in the files they name; a plan or a paste names many

_FILE = re.compile(
    r"(?<![\w@:/.~-])(?:\.{1,2}/)*(?:(?:[\w.-]+/)+[\w.@-]+\.[A-Za-z]\w{0,5}"
    r"|[\w-]+\.(?:md|rst|txt|py|ts|tsx|jsx|go|rs|java|kt|rb|php|cc|cpp|cs|swift|sql|sh|ya?ml|toml|json|html|css|scss|vue|svelte|proto|tf|ini|cfg))"
    r"(?![\w/])"
)
_BEFORE = re.compile(r"^(?:\.{0,2}/)+")
_NAME = re.compile(r"[\w.@-]+(?:/[\w.@-]+)*")
_QUOTED = re.compile(r"[\"“][^\"”\n]*\s[^\"”\n]*[\"”]")  # words of a text, not what is asked for
_LEFT_ALONE = re.compile(r"\b(?:don'?t|do not|not|never|without|except|leave|ignore|unlike|like|nicht|ohne|pas|sans|sin)\b")


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
        item = PackageItem(references.file(file), file_key(file), shown, file.last_seq, 0, worth, label=str(_action(file)))
        found.append(Candidate(SectionKind.FILES, item))
    return found


def _action(file: FileTouch) -> FileAction:
    """What happened to a file; a draft that was moved onto it changed it."""
    return FileAction.MODIFIED if file.action is FileAction.RENAMED and is_scratch(file.note) else file.action


def _about(file: FileTouch) -> str:
    """What was done in a file, as far as it is known."""
    told = []
    code = not (is_document(file.path) or is_test(file.path))  # what a test defines helps nobody to find something
    symbols = [name for name in file.symbols if not name.lower().startswith("test")] if code else []
    if symbols and file.action in (FileAction.CREATED, FileAction.MODIFIED, FileAction.RENAMED):
        told.append(f"{DEFINES}{', '.join(symbols[-SYMBOLS:])}")
    return f"{ABOUT_FILE}{'; '.join(told)}" if told else ""


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
    if _action(file) is FileAction.RENAMED and file.note:
        return _relative(file.note, cwd).join((f"{path}{RENAMED_FROM[0]}", RENAMED_FROM[1]))
    return path


def _relative(path: str, cwd: str) -> str:
    within = f"{cwd.rstrip('/')}/"
    return one_line(path.removeprefix(within) if cwd and cwd != "/" else path)


def not_opened(rows: Sequence[Request], files: Sequence[FileTouch]) -> list[str]:
    """The files that the person named in the request in work and that nobody opened since, as they wrote them; with "@" before it a tool
    opens one itself. None before anything was done for the request, and none of a sentence that leaves files alone."""
    if not any(row.files for row in rows):
        return []
    opened = [file.path for file in files if file.last_seq >= rows[0].seq]
    asked = [row.text.text for row in rows if row.kind is not RequestKind.SUMMARY and len(row.text.text) <= LONGEST]
    said = [sentence.text for text in asked for sentence in split(text)]
    named = dict.fromkeys(path for text in said if not _LEFT_ALONE.search(lowered(text)) for path in _FILE.findall(_QUOTED.sub("", text)))
    return [path for path in named if not any(is_same_file(path, each) for each in opened)]


def files_named(text: str) -> list[str]:
    """Whatever in a text may be the path or the name of a file."""
    return [found.rstrip(".") for found in _NAME.findall(text)]


def is_same_file(named: str, path: str) -> bool:
    """Whether a path is meant by its end, or by a longer one that ends with it."""
    ends = _BEFORE.sub("", named)  # a folder's own dot is a part of its name
    return path == ends or path.endswith(f"/{ends}") or ends.endswith(f"/{path}")
