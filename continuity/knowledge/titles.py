"""A title for a conversation that nobody gave one: what was asked in it, and where the work is done if that says little.

Pages, the API and the admin show the title that is stored; it is made here alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.model import Request, RequestKind
from continuity.transcripts.titles import cut

LONGEST = 100
LETTERS = 10  # that words have at least which tell what a session is about
SCRIPT = 3  # letters that a sign of a script without spaces counts for
WORDS = 10
_SPACELESS = "\u0e00"  # where these scripts begin
# Work of every session, in the form of content words.
_ANY_WORK = word_set(
    """
    hi hello hey thank thanks morning hallo bonjour commit push pull merge run test check fix bug error issue fail work continu continue
    proceed resume start begin stop finish complete review look read see help try redo undo retry next task ready status todo change
    update weiter mach fortsetzen
    """
)
_PLACE = re.compile(r"\S+ in \S.*")
_ASKS = (RequestKind.REQUEST, RequestKind.QUESTION, RequestKind.REPORT)


def place(*, branch: str, folder: str) -> str:
    """Where the work is done: "fix/valve in pump", or the one that is known; "" where nothing is."""
    name = PurePosixPath(folder.replace("\\", "/")).name
    return cut(" in ".join(part for part in (" ".join(branch.split()), name) if part), LONGEST)


def says_little(line: str) -> bool:
    """Whether words tell nothing of what a session is about: few letters, or nothing but words of any work ("commit it")."""
    letters = sum(SCRIPT if each >= _SPACELESS else 1 for each in line if each.isalnum())
    return letters < LETTERS or not any(word not in _ANY_WORK for word in content(line, WORDS))


def title_of(*, goal: str, branch: str, folder: str) -> str:
    """The first line of the goal, cut at a word; where that says little with branch and folder behind it, and these alone without one."""
    line, where = first_line(goal), place(branch=branch, folder=folder)
    if not line:
        return where
    return f"{line} ({where})" if where and says_little(line) else line


def better(title: str, *, goal: str, requests: Sequence[Request], branch: str, folder: str) -> str:
    """The title that takes the place of one that was made, where what was said tells more now; else the same. One that a person wrote
    stays."""
    where = place(branch=branch, folder=folder)
    asked = [first_line(each.text.text) for each in requests if each.kind in _ASKS]
    heard = [first_line(goal), *(first_line(each.text.text) for each in requests)]
    if not _is_made(title, heard, where):
        return title
    telling = (line for line in [heard[0], *asked] if line and not says_little(line))
    kept = "" if title == where else title.partition(" (")[0]
    words = next(telling, "") or kept or next((line for line in heard if line), "")
    return title_of(goal=words, branch=branch, folder=folder) or title


def may_be_made(title: str) -> bool:
    """Whether it may be one that was made and says little, before one looks at what was said: a place, or few words before one."""
    line, _, behind = title.partition(" (")
    return not title or says_little(line) or (not behind and (" " not in title or bool(_PLACE.fullmatch(title))))


def first_line(text: str) -> str:
    """The first line with words, cut at a word."""
    line = next((words for words in (" ".join(each.split()) for each in text[:2000].splitlines()) if words), "").lstrip("#> ")
    return cut(line, LONGEST)


def _is_made(title: str, lines: Sequence[str], where: str) -> bool:
    """Whether a title is none, a place, or a request that says little, alone or with a place behind it."""
    if title in ("", where):
        return True
    line, _, behind = title.partition(" (")
    return says_little(line) and line in lines and (not behind or behind == f"{where})" or bool(_PLACE.fullmatch(behind)))
