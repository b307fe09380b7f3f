"""Texts in the form in which they are compared, whatever their language."""

from __future__ import annotations

import re

WORDS = 80
_WORD = re.compile(r"[^\W_][\w./-]*", re.U)
_COMMON = frozenset(
    """
    the and for that this with from have has had was were will would should could can are not but you your its it's our we're we'll they
    them their then than when what which where who how why also into onto over just like make made need needs want only some more most
    very use used using all any now let lets let's please i'll i'm der die das und ist nicht ein eine mit für auf les des une est pas pour
    que los las por con para
    """.split()  # noqa: SIM905
)
_MARKS = str.maketrans("", "", "*`“”\"'‘’«»_~#>|")


def words_of(text: str) -> frozenset[str]:
    """The words by which a text is told from others, at most WORDS, in any script."""
    found: dict[str, None] = {}
    for match in _WORD.finditer(text.lower().translate(_MARKS)):
        word = match.group().rstrip("./-")
        if (len(word) > 2 or not word.isascii() or word.isdigit()) and word not in _COMMON:
            found[word] = None
            if len(found) == WORDS:
                break
    return frozenset(found)


def plain(text: str) -> str:
    return " ".join(text.lower().translate(_MARKS).replace("[…]", " ").replace("…", " ").split())
