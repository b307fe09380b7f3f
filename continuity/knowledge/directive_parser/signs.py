"""Making the words of a conversation unable to look like a part of a directive: one change for who writes it and who checks it.

A source in brackets (`[a12!]`, `(m5)`) and the box of a task (`[ ]`) get braces instead, the marks of a heading a backslash, and the
brackets of a directive lose their dashes. What is compared is changed in the same way, so that words are still found.
"""

from __future__ import annotations

import re

from continuity.knowledge.directive_parser.grammar import NAMES

_SQUARE = re.compile(rf"[\[［【]\s*({NAMES})\s*[\]］】]", re.IGNORECASE)
# A call such as `f(a1)` is code; with a mark that binds or doubts it is none.
_ROUND = re.compile(rf"(?<!\w)[(（]\s*({NAMES})\s*[)）]|[(（]([afmnt]\d{{1,7}}[!?]{{1,2}})[)）]")
_BOX = re.compile(r"(?:^|(?<=\s))\[([ xX])\](?=\s|$)")
_HEADING = re.compile(r"^(?=#{1,6}(?:\s|$))")
_FRAME = re.compile(
    r"(?<![-\u2010-\u2015\u2212])[-\u2010-\u2015\u2212]{2,}\s*((?:SESSION|END)\s+CONTINUATION)\s*[-\u2010-\u2015\u2212]{2,}", re.IGNORECASE
)


def neutral(line: str) -> str:
    """One line of a conversation's words without signs that only a directive may have. The same words again for `neutral` ones."""
    if "[" in line or "［" in line or "【" in line:
        line = _BOX.sub(r"{\1}", _SQUARE.sub(r"{\1}", line))
    if "(" in line or "（" in line:
        line = _ROUND.sub(lambda found: f"{{{found[1] or found[2]}}}", line)
    if "ontinuation" in line or "ONTINUATION" in line:
        line = _FRAME.sub(r"[\1]", line)
    return _HEADING.sub(r"\\", line) if line.startswith("#") else line
