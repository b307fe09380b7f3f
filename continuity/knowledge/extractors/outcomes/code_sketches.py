"""Sketches of changed code: what was newly defined in a file, with the words about it, and the lines that took the place of others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from difflib import SequenceMatcher

from continuity.knowledge.evidence import CodeEdit
from continuity.knowledge.extractors.outcomes.document_sketches import document_sketch
from continuity.knowledge.extractors.outcomes.marked_lines import ELIDED, without_keys
from continuity.knowledge.extractors.shell.paths import is_document, is_scratch, is_test
from continuity.knowledge.extractors.tools.symbols import defined
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.state.step import FoldStep

READ = 600  # lines of one edit
SIZE = 1000  # characters of a file's sketch
LINE = 160
SIGNATURE, MEMBERS = 5, 9  # lines of a definition's first part, and of what a type holds
REPLACED, REPLACING, ADDED = 2, 3, 3  # lines of a change that defines nothing
WORDS, MOST_WORDS = 2, 4  # lines of words about a definition, and where their sentence ends in a later one
TITLE = 100
_CHANGE, _ABOUT, _DEFINITION = range(3)  # what a line tells, the least first

# What a reader wants to see the members of.
_TYPE = re.compile(r"^\s*(?:\w+ ){0,3}(?:struct|interface|enum|record|message|type|CREATE TABLE)\b|\b(?:struct|interface) \{\s*$", re.I)
_COMMENT = re.compile(r"^\s*(?://|#(?!include|define|\[)|/?\*|--\s|<!--|\"\"\")")
_TRIVIAL = re.compile(
    r"^[^\w]*$|^[<>|]{7} |^\s*\}|^\s*(?:export )?(?:const|var|let|type)\s*\($|^\s*\w+,?$|^\s*return;?$"
    r"|^\W*(?:try|catch|finally|else|do|then|fi|done|end)\W*$"
    r"|^\s*(?:import\b|from\s+\S+\s+import\b|use\s+[\w:]+|package\s|#include\b|\"[\w./@-]+\",?$)"
)
_CASE = re.compile(r"^\s*(?:it|test|describe)(?:\.\w+)?\(\s*(?P<q>['\"`])(?P<title>.{3,300}?)(?P=q)")


def sketch(path: str, lines: Sequence[str]) -> str:
    """What the marked lines of an edit change in a file, in few of them; empty for scratch files."""
    if is_scratch(path):
        return ""
    if is_document(path):
        return document_sketch(list(without_keys(lines[:READ])))
    short = [line[:LINE].rstrip() for line in without_keys(lines[:READ])]
    found = list(_cases(short)) if is_test(path) else _telling(short)
    return "\n".join(_within(found))


def added_to(step: FoldStep, edit: CodeEdit, edited: Sequence[str]) -> None:
    """Take an edit, whose marked lines are `edited`, into the sketch of its file for the request in work: what it takes out of what
    earlier ones brought in is gone, and so are the lines of earlier requests' sketches that it takes out."""
    rows = in_work(step.state.requests)
    key = f"{rows[0].seq if rows else 0}:{edit.path}"
    _overtake(step, edit, edited, key)
    if not edit.sketch:
        return
    before = step.state.sketches.get(key)
    lines = edit.sketch.split("\n")
    if before is not None and not edit.created:
        lines = _net(before.body.split("\n"), lines, edited[:READ])
    step.state.sketches.put(key, CodeEdit(edit.path, edit.seq, "\n".join(_within(lines))))


def _overtake(step: FoldStep, edit: CodeEdit, edited: Sequence[str], key: str) -> None:
    """Take out of the sketches of earlier requests what an edit of the same file takes out of it: what they told stands there no longer."""
    out, came = ({line[1:].strip() for line in edited if line[:1] == sign} for sign in "-+")
    gone = {line for line in out - came if any(map(str.isalnum, line))}
    for other, before in step.state.sketches.items():
        if before.path != edit.path or other == key:
            continue
        lines = before.body.split("\n")
        left = [line for line in lines if not (line[:1] == "+" and _whole(line) in gone)]
        if not any(line[:1] == "+" for line in left) and len(left) < len(lines):
            step.state.sketches.pop(other)
        elif len(left) < len(lines):
            step.state.sketches.replace(other, replace(before, body="\n".join(left)))


def _whole(line: str) -> str:
    """The words of a sketch's line as the file has them."""
    return line[1:].removesuffix(f" {ELIDED}").strip()


def _net(before: Sequence[str], lines: Sequence[str], edited: Sequence[str]) -> list[str]:
    """The lines of a sketch and those of a later edit: what the edit takes out of what stood there is in neither."""
    out = [line[1:].strip() for line in edited if line[:1] == "-" and line[1:].strip()]
    brought = [(place, line[1:].strip()) for place, line in enumerate(before) if line[:1] == "+"]
    gone: set[int] = set()
    taken: set[str] = set()
    for block in SequenceMatcher(None, [words for _, words in brought], out, autojunk=False).get_matching_blocks():
        gone.update(place for place, _ in brought[block.a : block.a + block.size])
        taken.update(out[block.b : block.b + block.size])
    new = [line for line in lines if not (line[:1] == "-" and line[1:].strip() in taken)]
    return [*(line for place, line in enumerate(before) if not (place in gone or line in new)), *new]


def _cases(lines: Sequence[str]) -> Iterator[str]:
    """The tests that are new."""
    for line in lines:
        if line[:1] == "+":
            case = _CASE.match(line[1:])
            names = [case["title"]] if case else [name for name in defined(line[1:]) if name.lower().startswith("test")]
            yield from (f"+{name[:TITLE]}" for name in names)


def _telling(lines: Sequence[str]) -> list[str]:
    out, came = ({line[1:].strip() for line in lines if line[:1] == sign} for sign in "-+")
    moved = out & came  # such a definition stands where it stood, or nearly so
    found: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if line[:1] not in ("+", "-") or line[1:].strip() in moved:
            at += 1
        elif defined(line[1:]):
            end = _end_of_definition(lines, at) if line[:1] == "+" else at + 1
            found += [*_words_about(lines, at), line, *(each for each in lines[at + 1 : end] if not _COMMENT.match(each[1:]))]
            found += _closed(lines, at, end)
            at = _end_of_body(lines, at, end)
        else:
            end = _end_of_change(lines, at, moved)
            found += _change(lines[at:end])
            at = end
    return found


def _end_of_body(lines: Sequence[str], at: int, end: int) -> int:
    """Behind what a definition holds: the code itself tells it."""
    sign, depth = lines[at][:1], _indent(lines[at])
    while end < len(lines) and lines[end][:1] == sign and (not lines[end][1:].strip() or _indent(lines[end]) > depth):
        end += 1
    return end


def _end_of_definition(lines: Sequence[str], at: int) -> int:
    """Behind the head of a definition: its signature, and of a type its members."""
    if _TYPE.search(lines[at][1:]):
        end, most, depth = at + 1, at + 1 + MEMBERS, _indent(lines[at])
        while end < min(len(lines), most) and lines[end][:1] == "+" and _indent(lines[end]) > depth:
            end += 1
        return end
    end = at + 1
    while end < min(len(lines), at + SIGNATURE) and _is_open(lines[at:end]) and lines[end][:1] == "+":
        end += 1
    return end


def _closed(lines: Sequence[str], at: int, end: int) -> list[str]:
    """The end of a type whose members are told: what comes next in a sketch is not one of them."""
    if not (_TYPE.search(lines[at][1:]) and at + 1 < end < len(lines) and lines[end][:1] == "+"):
        return []
    return [lines[end]] if lines[end][1:].strip().startswith("}") else [f"{lines[end][: _indent(lines[end]) + 1]}{ELIDED}"]


def _is_open(lines: Sequence[str]) -> bool:
    words = "".join(lines)
    return words.count("(") > words.count(")")


def _indent(line: str) -> int:
    return len(line[1:]) - len(line[1:].lstrip())


def _words_about(lines: Sequence[str], at: int) -> list[str]:
    """The first lines of the comment right above a definition, up to where a sentence ends."""
    first = at
    while lines[at][:1] == "+" and first > 0 and lines[first - 1][:1] == "+" and _COMMENT.match(lines[first - 1][1:]):
        first -= 1
    about = [line for line in lines[first:at] if any(map(str.isalnum, line)) and "nolint" not in line]
    for count in range(min(WORDS, len(about)), min(MOST_WORDS, len(about)) + 1):
        if about[:count] and about[count - 1].rstrip(' */"').endswith((".", "!", "?", ":")):
            return about[:count]
    return about[:WORDS]


def _end_of_change(lines: Sequence[str], at: int, moved: Set[str]) -> int:
    end = at
    while end < len(lines) and lines[end][:1] in ("+", "-") and not (defined(lines[end][1:]) or lines[end][1:].strip() in moved):
        end += 1
    return max(end, at + 1)


def _change(lines: Sequence[str]) -> list[str]:
    """The lines of a change that tell what it does: what was taken out beside what came in its place, without what they hold within."""
    out, came = (_outer([line for line in lines if line[:1] == sign]) for sign in "-+")
    return [*out[:REPLACED], *came[:REPLACING]] if out else came[:ADDED]


def _outer(lines: Sequence[str]) -> list[str]:
    """The statements of a block, those within others left out behind a mark."""
    told = [line for line in lines if line[1:].strip() and not _COMMENT.match(line[1:])]
    least = min(map(_indent, told), default=0)
    found: list[str] = []
    for place, line in enumerate(told):
        if _indent(line) > least or _TRIVIAL.match(line[1:]):
            continue
        holds = place + 1 < len(told) and _indent(told[place + 1]) > least
        found.append(f"{line} {ELIDED}" if holds else line)
    return found


def _within(lines: Sequence[str]) -> list[str]:
    """At most SIZE characters: the oldest of the lines that tell least go first."""
    kept = list(lines)
    over = sum(len(line) + 1 for line in kept) - SIZE
    for rank in (_CHANGE, _ABOUT, _DEFINITION):
        place = 0
        while over > 0 and place < len(kept):
            if _rank(kept[place]) > rank:
                place += 1
            else:
                over -= len(kept.pop(place)) + 1
    return kept


def _rank(line: str) -> int:
    if line[:1] == "+" and defined(line[1:]):
        return _DEFINITION
    return _ABOUT if _COMMENT.match(line[1:]) else _CHANGE
