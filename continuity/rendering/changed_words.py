"""Two versions of a text as runs of words that stay, go and come."""

import difflib
import re
from collections.abc import Iterator

WORDS = 300  # of each; what is longer goes as a whole and comes as a whole
KEPT, FEW = 1 / 3, 4  # of the words must stay for texts of more than a few to be told as one that was changed
# What stands between backticks is one word: half of it could not be told as code.
_WORD = re.compile(r"(?:[^\s`]*`[^`\n]+`)+\S*\s*|\S+\s*|\s+")


def runs(before: str, after: str) -> Iterator[tuple[str, str]]:
    """(sign, text), the sign as of `edits.DiffLine`: a space, `-` or `+`.

    The texts of all but `+` give `before`, those of all but `-` give `after`.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    compared = difflib.SequenceMatcher(None, old, new, autojunk=False) if max(len(old), len(new)) <= WORDS else None
    if compared is None or _is_another(compared, min(len(old), len(new))):
        yield from ((sign, text) for sign, text in (("-", before), ("+", after)) if text)
        return
    for kind, at, to, start, end in compared.get_opcodes():
        if kind == "equal":
            yield " ", "".join(old[at:to])
        else:
            if to > at:
                yield "-", "".join(old[at:to])
            if end > start:
                yield "+", "".join(new[start:end])


def _is_another(compared: difflib.SequenceMatcher[str], words: int) -> bool:
    """Whether so few words stay that both texts, mixed, could not be read; `words` are those of the shorter one."""
    return words > FEW and sum(block.size for block in compared.get_matching_blocks()) < KEPT * words
