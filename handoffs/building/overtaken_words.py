"""Words of then that results or later choices have overtaken say so: a mark behind the line, in square brackets, as what an editor adds to
quoted words. A line stays as it is where nothing tells of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from continuity.knowledge.directive_parser.grammar import FILES_CHANGED, LISTED, NOT_CHOSEN, NOT_MADE, NOT_THERE, NOW_AT, SAME_AGAIN
from continuity.knowledge.evidence import Keeping
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.model import FileAction, Knowledge, Request
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.budgeting.candidate import Candidate
from handoffs.building.unchosen_options import UnchosenOptions
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.checks import changed_code
from handoffs.directive.lines.goal import told_with_goal
from handoffs.directive.lines.request_parts import moved_files
from handoffs.directive.lines.work_place import COMMENT

# Labels of lines in the words that an agent, or a person's document, said at some time before.
_SAID = frozenset(("agent", "made", "stopped", "agent said", "offered", "denied", "person said"))
LEARNED = "learned"  # what was found out on the way, told among the facts
_FIXES = re.compile(
    r"\b(?:fix(?:es|ed)?|solves?|solution|should (?:now )?work|works now|now works|use .{1,60} instead|so .{1,60} (?:has|can|works?))\b",
    re.I,
)
_TROUBLE = re.compile(
    r"\b(?:\w*errors?|fail(?:s|ed|ure)?|fatal|denied|refused|timed out|cannot|unable|undefined|not found|exception|panic)\b", re.I
)
_NUMBERS = re.compile(r"\d+")
# What an agent says of how many things it answered: "All 6 threads have been replied to."
_ALL = re.compile(
    r"\ball (?:of )?(?:the )?(\d{1,3})\b.{0,60}\b(?:repl(?:y|ies|ied)|respond(?:ed)?|responses?|answer(?:s|ed)?|comment(?:s|ed))\b", re.I
)
_SAME_LINE = 4  # words of a line of a paste by which the same trouble is known again
_SECTIONS = frozenset((SectionKind.GOAL, SectionKind.RECENT))
_FENCE = re.compile(r"\s*(?:```|~~~)")
_PATH = re.compile(r"(?<![\w/.@~:-])(?:[\w.@~-]*/)+[\w.@-]*\w(?![\w/])|(?<![\w/.@~:-])\.?[\w.@-]+/(?![\w/])")
_PROPOSED = re.compile(
    r"\b(?:could|would|might|may)\b(?:(?:\W+\w+){0,3}?\W+create\b|.{0,60}\bnew (?:file|module|package|script|class)\b)",
    re.I,
)
_REMOVES = re.compile(r"\b(?:delet|remov|drop|no longer|not\b|renam|mov(?:e|ed|ing)\b)|n't\b|~~", re.I)
_IGNORED = re.compile(r"\bgit-?ignored?\b|\bignored by git\b", re.I)
_DENIES = re.compile(r"\bnot\b|n't\b|\bno longer\b|\bshould\b|\bmust\b|\badd\b", re.I)
_PASSES = re.compile(
    r"\b(?:tests?|specs?|suites?|checks?|lint(?:er|ing)?|build|type-?check(?:ing|er)?)\b[^.;:]{0,60}\b(?:pass(?:es|ed|ing)?|clean|green|succeed(?:s|ed)?)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Known:
    """What results tell: paths that are gone, with the message that showed it, and where a file of that name is now; the ends of all paths
    that were seen; paths that git listed, with the message; when code was changed last; the requests in work, and the exchange that these
    go on from; the first and last message of requests after which the person pasted the same trouble again; how many comments were
    made before the words that ended a request."""

    gone: dict[str, int]
    moved: dict[str, str]
    seen: frozenset[str]
    listed: dict[str, int]
    changed: int
    current: frozenset[int]
    options: UnchosenOptions
    again: tuple[tuple[int, int], ...]
    answers: dict[int, int]


def with_marks(candidates: Sequence[Candidate], knowledge: Knowledge) -> list[Candidate]:
    """The candidates, with marks behind the lines that were overtaken."""
    known = _known(knowledge)
    return [
        _marked(each, known) if (each.kind in _SECTIONS and each.item.label in _SAID) or each.item.label == LEARNED else each
        for each in candidates
    ]


def _known(knowledge: Knowledge) -> _Known:
    last = {file.path: file for file in sorted(knowledge.files, key=lambda file: file.last_seq)}
    gone = {path: file.last_seq for path, file in last.items() if file.action is FileAction.DELETED and not is_scratch(path)}
    ignores = max(
        (file.last_seq for path, file in last.items() if path.endswith(".gitignore") and file.action is not FileAction.READ), default=-1
    )
    listed = {
        each.path: each.seq
        for each in knowledge.situation.changed
        if each.shown and each.keeping is not Keeping.COMMITTED and each.seq > ignores
    }
    seen = frozenset(_end(path) for path in (*last, *(file.note for file in last.values() if file.action is FileAction.RENAMED)))
    changed = max(changed_code(knowledge), default=-1)
    return _Known(
        gone,
        moved_files(knowledge),
        seen,
        listed,
        changed,
        told_with_goal(knowledge),
        UnchosenOptions(knowledge),
        tuple(_troubled_again(knowledge.requests)),
        {row.outcome.ref.seq: _comments(row, knowledge) for row in knowledge.requests if row.outcome is not None},
    )


def _comments(row: Request, knowledge: Knowledge) -> int:
    return sum(each.kind == COMMENT and row.seq <= each.seq <= row.last_seq for each in knowledge.situation.made)


def _without_miscounts(text: str, made: int) -> str:
    """The words without sentences that tell of all of fewer comments than were made."""
    if not made or not any(int(found[1]) < made for found in _ALL.finditer(text)):
        return text
    lines = []
    for line in text.split("\n"):
        wrong = [each for each in sentences_of(line) if (found := _ALL.search(each)) and int(found[1]) < made]
        for each in wrong:
            line = line.replace(each, "").strip()
        if line or not wrong:
            lines.append(line)
    return "\n".join(lines).rstrip() or text


def _troubled_again(rows: Sequence[Request]) -> Iterator[tuple[int, int]]:
    """The requests by their first and last message in which trouble was pasted that was pasted again later: what was said against it did
    not help."""
    told: list[tuple[Request, set[str]]] = []
    for row in rows:
        lines = {_NUMBERS.sub("0", line.strip()) for line in row.pasted.split(" / ")}
        wrong = {line for line in lines if _TROUBLE.search(line) and len(line.split()) >= _SAME_LINE}
        yield from ((before.seq, before.last_seq) for before, theirs in told if wrong & theirs)
        told.append((row, wrong))


def _marked(line: Candidate, known: _Known) -> Candidate:
    item = line.item
    earlier = item.label != "person said" and not any(seq <= item.seq for seq in known.current)

    def told(text: str) -> str:
        lines = _without_miscounts(text, known.answers.get(item.seq, 0)).split("\n")
        left = known.options.among(lines, item.seq)
        marks = ["" if plain else None for plain in _plain(lines)]
        for place, words in enumerate(lines):
            if marks[place] is not None:
                marks[place] = NOT_CHOSEN if place in left else _of_paths(words, item.seq, known, proposed=earlier)
        if item.label == "offered" and item.seq < known.changed:
            passes = [mark == "" and _PASSES.search(words) is not None for words, mark in zip(lines, marks, strict=True)]
            for place in (place for place, passed in enumerate(passes) if passed and not (place and passes[place - 1])):
                marks[place] = FILES_CHANGED  # one for all that stand together
        fixes = [place for place, words in enumerate(lines) if marks[place] == "" and _FIXES.search(words)]
        if fixes and any(first < item.seq <= last for first, last in known.again):
            marks[fixes[0]] = SAME_AGAIN
        return "\n".join(f"{words}{mark or ''}" for words, mark in zip(lines, marks, strict=True))

    text = told(item.text)
    shorter = tuple(map(told, line.shorter))
    return line if (text, shorter) == (item.text, line.shorter) else line._replace(item=item._replace(text=text), shorter=shorter)


def _plain(lines: Sequence[str]) -> Iterator[bool]:
    """Whether each line is words: no code, and nothing that is marked already."""
    fenced = False
    for line in lines:
        fence = bool(_FENCE.match(line))
        fenced = fenced != fence
        yield bool(line.strip()) and not (fence or fenced or line.endswith("]"))


def _of_paths(words: str, seq: int, known: _Known, *, proposed: bool) -> str:
    """The mark of a line that names a file which is gone, or was proposed and never seen, or that calls ignored what git lists."""
    if "/" not in words:
        return ""
    paths = [found[0] for found in _PATH.finditer(words)]
    gone = [(path, name) for path in paths for name, when in known.gone.items() if when > seq and _same(path, name)]
    if gone and not _REMOVES.search(words):
        path, name = gone[0]
        return known.moved[name].join(NOW_AT) if name in known.moved else path.rsplit("/", 1)[-1].join(NOT_THERE)
    if proposed and _PROPOSED.search(words):
        named = [path for path in paths if "." in path.rsplit("/", 1)[-1]]
        return NOT_MADE if named and not any(_end(path) in known.seen for path in named) else ""
    if _IGNORED.search(words) and not _DENIES.search(words):
        return LISTED if any(_holds(path, name) for path in paths for name, when in known.listed.items() if when > seq) else ""
    return ""


def _end(path: str) -> str:
    """The last two parts of a path, by which it is known in whatever folder it was told."""
    return "/".join(path.strip("/").split("/")[-2:])


def _same(told: str, path: str) -> bool:
    return told == path or path.endswith(f"/{told}") or told.endswith(f"/{path}")


def _holds(told: str, path: str) -> bool:
    """Whether a path is a told one, or lies in a told folder."""
    folder = told.rstrip("/")
    return _same(folder, path) or (f"/{path}").find(f"/{folder.lstrip('/')}/") >= 0
