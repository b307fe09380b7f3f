"""What the last searches found, where that was little: nobody has to search for it again. Many hits are a list, and tell nothing."""

from __future__ import annotations

import re

from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.extractors.shell.parser import Simple
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.language.clip import one_line
from continuity.knowledge.model import Quote, Ref
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.state.open_items import Pending
from continuity.knowledge.state.step import FoldStep
from continuity.secrets.finding import find

SOUGHT = 120  # characters of what was sought
HITS, HIT, READ = 6, 140, 4000  # of a search that is kept, characters of each, and of an output that are read
LISTED, LIST = 1900, 8000  # characters of the places of many hits for what the person asks about, and of an output that are read for them
PATH = 400  # characters of a path with the number of its line
MANY, ROOM = 40, 2800  # hits of the last search that found many, and characters of them: what is said next may tell which ones count
ASKED = 4  # characters of what was sought that is known again in the person's words
BETWEEN = " / "
CAME, WHERE = " → ", " in "
NONE = "nothing"

_NOTHING = re.compile(r"No (?:matches|files|results) found\b|Found 0 |0 matches\b", re.I)
_COUNT = re.compile(r"Found \d+ [\w ]{1,40}")
_PLACE = re.compile(r"(?P<path>[^\s:'\"]*[/.][^\s:'\"]+)(?::(?P<line>\d{1,7}))?(?=:|$)")
_HIT = re.compile(r"(?:[^\s:'\"]*[/.][^\s:'\"]+:)?\d{1,7}:")
_QUOTED = re.compile(r"""(['"])(?P<words>[^'"\n]{4,80})\1""")
_PROGRAMS = frozenset(("grep", "rg", "egrep", "fgrep", "ag", "ack"))
_OF_TOOLS = frozenset(("grep", "grep_search", "search_files", "search_file_content", "codebase_search", "file_search"))
# What stands beside the hits, and what tells that the search itself failed.
_BESIDE = re.compile(r"[-=\s]*$|(?:[^\s:]{1,200}-)?\d{1,7}-")
_TROUBLE = re.compile(r"(?:\(eval\)|zsh|bash|grep|rg|fatal|error)[:\d]|[^\n]{0,120}No such file", re.I)


def by_tool(step: FoldStep, part: int, text: str, pending: Pending, *, failed: bool) -> None:
    """Keep what a search tool found."""
    if not failed and pending.text and tool_names.plain_name(pending.name) in _OF_TOOLS:
        _keep(step, part, pending.text, text)


def by_shell(step: FoldStep, part: int, commands: list[Simple], command: str, text: str) -> None:
    """Keep what a search in the shell found."""
    programs = [each.program for each in commands if each.program != "cd"]
    if programs and programs[0] in _PROGRAMS:
        _keep(step, part, command, text)


def _keep(step: FoldStep, part: int, sought: str, text: str) -> None:
    root = step.state.root or step.state.cwd
    lines = [line.strip() for line in _within(text[:READ], root).splitlines() if not _BESIDE.match(line)]
    if any(_TROUBLE.match(line) for line in lines):
        return
    if not lines or _NOTHING.match(lines[0]):
        if step.state.edited <= (step.state.turns[-1].seq if step.state.turns else 0):
            return  # after a change it says that nothing is left; before, that it was sought in the wrong place
        found = NONE
    elif (len(lines) > HITS or _COUNT.match(lines[0])) and (places := _places(step, sought, text, root)):
        found = places
    elif len(lines) <= HITS and len(text) <= READ:
        if find(text) or find(sought):
            return  # in a line that is cut nobody would find it again
        found = BETWEEN.join(_cut(line, HIT) for line in lines)
        if not any(map(is_name, terms_in(found))):
            return  # it names nothing
    elif len(lines) > HITS and (many := _many(text, root)):
        step.state.searched.put("many", Quote(f"{one_line(_within(sought, root), SOUGHT)}{CAME}{many}", Ref(step.seq, part)))
        return
    elif _COUNT.match(lines[0]):
        found = one_line(lines[0], HIT)
    else:
        return
    words = f"{_sought(_within(sought, root))}{CAME}{found}"
    step.state.searched.put(digest(sought), Quote(words, Ref(step.seq, part)))


def _many(text: str, root: str) -> str:
    """The hits of a search that found many, the first ones; empty where they are no lines at a place, or name nothing."""
    if find(text[:LIST]):
        return ""
    lines = [line.strip() for line in _within(text[:LIST], root).splitlines() if line.strip() and not _BESIDE.match(line)]
    hits = [one_line(line, HIT) for line in lines[:MANY] if _HIT.match(line[:PATH])]
    while sum(map(len, hits)) + len(BETWEEN) * len(hits) > ROOM:
        hits.pop()
    found = BETWEEN.join(hits)
    return found if len(hits) > HITS and any(map(is_name, terms_in(found))) else ""


def _places(step: FoldStep, sought: str, text: str, root: str) -> str:
    """Where many hits are, by file, if the person asks about what was sought: they are the answer, or what is still to be looked at."""
    quoted = [match["words"] for match in _QUOTED.finditer(sought)] or [sought.partition(" in ")[0]]
    words = [each.strip("\\^$ ") for pattern in quoted for each in re.split(r"\\?\|", pattern)]
    words = [each.lower() for each in words if any(map(is_name, terms_in(each))) or not each.isalpha()]
    asked = " ".join(row.text.text.lower() for row in in_work(step.state.requests))
    if not any(len(each) >= ASKED and each in asked for each in words) or find(text[:LIST]):
        return ""
    lines = [line.strip() for line in _within(text[:LIST], root).splitlines() if line.strip() and not _BESIDE.match(line)]
    lines = lines[:-1] if len(text) > LIST else lines  # which is cut
    matches = [match for line in lines if (match := _PLACE.match(line))]
    if len(matches) * 2 < len(lines) or not matches:
        return ""
    files: dict[str, list[str]] = {}
    for match in matches:
        files.setdefault(match["path"], []).extend([match["line"]] if match["line"] else [])
    told = [f"{path}{':' if numbers else ''}{','.join(numbers)}" for path, numbers in files.items()]
    head = [one_line(lines[0], HIT)] if _COUNT.match(lines[0]) else []
    kept = told
    while sum(map(len, kept)) + len(BETWEEN) * len(kept) > LISTED:
        kept = kept[:-1]
    more = [f"{len(told) - len(kept)} of them are not listed here"] if len(kept) < len(told) else []
    return BETWEEN.join((*head, *kept, *more))


def _sought(sought: str) -> str:
    """What was sought and where in one line: where it is too long the words give way, and not the name of the file."""
    words, _, place = one_line(sought, HIT * HITS).rpartition(WHERE)
    room = SOUGHT - len(place) - len(WHERE)
    return f"{_cut(words, room)}{WHERE}{place}" if words and " " not in place and room > SOUGHT // 4 else _cut(sought, SOUGHT)


def _cut(text: str, room: int) -> str:
    """The text on one line, up to the end of a word where it is too long."""
    words = one_line(text, room + 1)
    return words if len(words) <= room else f"{words[: max(words.rfind(' ', 0, room - 1), words.rfind('|', 0, room - 1), room // 2)]} …"


def _within(text: str, root: str) -> str:
    """A text without the directory of the work before its paths."""
    return text.replace(f"{root.rstrip('/')}/", "") if len(root) > 1 else text
