"""What the last searches found, where that was little: nobody has to search for it again. Many hits are a list, and tell nothing."""

from __future__ import annotations

import re

from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.extractors.shell.parser import Simple
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.language.clip import one_line
from continuity.knowledge.model import Quote, Ref
from continuity.knowledge.state.open_items import Pending
from continuity.knowledge.state.step import FoldStep
from continuity.secrets.finding import find

SOUGHT = 120  # characters of what was sought
HITS, HIT, READ = 6, 120, 4000  # of a search that is kept, characters of each, and of an output that are read
BETWEEN = " / "
CAME = " → "
NONE = "nothing"

_NOTHING = re.compile(r"No (?:matches|files|results) found\b|Found 0 |0 matches\b", re.I)
_COUNT = re.compile(r"Found \d+ [\w ]{1,40}")
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
    elif len(lines) <= HITS and len(text) <= READ:
        if find(text) or find(sought):
            return  # in a line that is cut nobody would find it again
        found = BETWEEN.join(one_line(line, HIT) for line in lines)
        if not any(map(is_name, terms_in(found))):
            return  # it names nothing
    elif _COUNT.match(lines[0]):
        found = one_line(lines[0], HIT)
    else:
        return
    words = f"{one_line(_within(sought, root), SOUGHT)}{CAME}{found}"
    step.state.searched.put(digest(sought), Quote(words, Ref(step.seq, part)))


def _within(text: str, root: str) -> str:
    """A text without the directory of the work before its paths."""
    return text.replace(f"{root.rstrip('/')}/", "") if len(root) > 1 else text
