"""One expression for many literals, in which those that begin alike share their beginning."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby


def any_of(literals: Iterable[str]) -> str:
    """An expression that is found in a text where one of the literals stands. At a letter it tries those that begin with it, not all."""
    each = sorted(set(literals))
    if "" in each:
        return ""
    branches = [re.escape(first) + any_of(one[1:] for one in same) for first, same in groupby(each, key=lambda one: one[0])]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
