"""Two versions of a text as runs of words that stay, go and come."""

import difflib
import re
from collections.abc import Iterator

WORDS = 300  # of each; what is longer goes as a whole and comes as a whole


def runs(before: str, after: str) -> Iterator[tuple[str, str]]:
    """(sign, text), the sign as of `edits.DiffLine`: a space, `-` or `+`.

    The texts of all but `+` give `before`, those of all but `-` give `after`.
    """
    old, new = re.findall(r"\S+\s*|\s+", before), re.findall(r"\S+\s*|\s+", after)
    if max(len(old), len(new)) > WORDS:
        yield from ((sign, text) for sign, text in (("-", before), ("+", after)) if text)
        return
    for kind, at, to, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield " ", "".join(old[at:to])
        else:
            if to > at:
                yield "-", "".join(old[at:to])
            if end > start:
                yield "+", "".join(new[start:end])
