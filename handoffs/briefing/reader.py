"""Reading a directive's text as sections and lines, by its own structure only: nothing that its words say is taken for a mark of ours.

Linear in the text. What is no line that the grammar knows is still a line: nothing of the text is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate

from continuity.knowledge.anchors.keys import digest, normal
from continuity.knowledge.directive_parser.grammar import SectionKind
from continuity.knowledge.directive_parser.lines import BULLET, Entry, headings_of, read_lines, sourced, statement_at
from continuity.knowledge.directive_parser.vocabulary import CONCISE, NARRATIVE, STRUCTURED, StyleVocabulary
from handoffs.briefing.model import Briefing, BriefingLine, BriefingSection, BriefingSource, TextRun
from handoffs.briefing.sections import NumberedLine, divided
from handoffs.contract.model import Style

VOCABULARIES: Mapping[Style, StyleVocabulary] = {Style.STRUCTURED: STRUCTURED, Style.CONCISE: CONCISE, Style.NARRATIVE: NARRATIVE}
FENCE = "```"
# Lines of several lines that are code or output, not prose.
OF_CODE = frozenset(("edit", "failing", "blocked", "result", "shown", "error", "tree", "check"))
# A path, its reference, and what follows it. Paths hold no reference of their own, so that the first one ends each.
_FILE = re.compile(r"(?P<path>(?:(?! \(f\d{1,7}\)).)+) \((?P<name>f\d{1,7})\)(?:, |\.?$|(?= — ))")


def read_briefing(text: str, style: Style) -> Briefing:
    """The sections of a directive that was told in `style`."""
    raw = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in raw)]
    entries: dict[int, list[Entry]] = {}
    for entry in read_lines(text, 0, len(text)):
        entries.setdefault(bisect_right(starts, entry.start), []).append(entry)
    opening, sections = divided(raw, headings_of(VOCABULARIES[style]), style, entries)
    read = [
        BriefingSection(each.kind, each.heading, tuple(_line(each.kind, line, starts[line.number - 1]) for line in each.lines))
        for each in sections
        if each.lines
    ]
    return Briefing(opening, tuple(read))


def _line(kind: str, line: NumberedLine, at: int) -> BriefingLine:
    """`at` is the line's offset in the text."""
    number, found = line.number, line.entries
    indent = len(line.text) - len(line.text.lstrip())
    body = line.text.strip()
    bullet = BULLET.match(body)
    skip = bullet.end() if bullet else 0
    body = body[skip:]
    label = found[0].label if found else ""
    if begin := statement_at(line.text.strip()):
        words, sources = _sourced(line.text.strip()[begin:])
        return BriefingLine(number, key_of_words(words), "", words, sources, noted=True)
    if line.block:
        introduction, sources = _sourced(body.removesuffix(":"))
        key = key_of_words("\n".join(line.block))
        return BriefingLine(number, key, f"{introduction}:", "", sources, _runs(line.block, label), (), _follows(introduction))
    if kind == SectionKind.FILES:
        before, mark, names = body.partition(": ")
        if mark and (" " not in before.strip() or before == "Newly defined"):
            paths, told = _paths(names)
            return BriefingLine(number, key_of_words(names), f"{before}:", told, (), (), paths)
    words, sources = _sourced(body)
    place = max(0, min((entry.start for entry in found), default=0) - at - indent - skip) if found else 0
    introduction = words[:place]
    quoted = introduction.endswith("“")
    introduction, words = introduction.removesuffix("“").rstrip(), ("“" if quoted else "") + words[place:]
    return BriefingLine(number, key_of_words(words), introduction, words, sources, (), (), _follows(introduction or words))


def _follows(words: str) -> bool:
    """Whether a line tells what came of the one before it."""
    return words.startswith("→")


def key_of_words(words: str) -> str:
    """The key of words in ratings, whatever their markup, case and end."""
    return digest(normal(words), 8)


def _sourced(line: str) -> tuple[str, tuple[BriefingSource, ...]]:
    """The line without its sources, and these."""
    words, sources = sourced(line)
    return words, tuple(BriefingSource(each.id, each.critical, each.claimed, each.kind or each.status) for each in sources)


def _paths(names: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Files with their references, and what is told of the last one."""
    paths: list[tuple[str, str]] = []
    at = 0
    while found := _FILE.match(names, at):
        paths.append((found["path"], found["name"]))
        at = found.end()
    return tuple(paths), names[at:].removeprefix(" — ").strip() if paths else names


def _runs(block: Sequence[str], label: str) -> tuple[TextRun, ...]:
    """The lines of a block, code apart from prose: a fence opens and closes it, and stays."""
    if label in OF_CODE:
        return (TextRun("\n".join(block), code=True),)
    runs: list[tuple[bool, list[str]]] = []
    inside = False
    for line in block:
        fence = line.lstrip().startswith(FENCE)
        code = inside or fence or line.lstrip().startswith("|")
        if not runs or runs[-1][0] is not code:
            runs.append((code, []))
        runs[-1][1].append(line)
        inside = inside is not fence
    return tuple(TextRun("\n".join(lines), code) for code, lines in runs)
