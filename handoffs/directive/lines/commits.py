"""A commit in words: its hash and subject."""

from __future__ import annotations

import re

from handoffs.directive.lines.wording import one_line

_COMMITTED = re.compile(r"\[(?P<branch>[^\]\s]+)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,40})\] ?")


def commit_words(text: str, branch: str) -> str:
    """What git printed of a commit as its hash and subject, with its branch where that is another one than the present `branch`."""
    match = _COMMITTED.match(line := one_line(text))
    if match is None:
        return line.removeprefix("Commit ")
    elsewhere = f" ({match['branch']})" if match["branch"] != branch else ""
    return f"{match['hash']}{elsewhere} {line[match.end() :]}"
