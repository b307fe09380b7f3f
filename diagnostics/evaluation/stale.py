"""Detects replaced items that a context presents as current."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from diagnostics.evaluation.coverage import covers
from diagnostics.evaluation.labels import LabelledAnchor
from diagnostics.evaluation.units import Units

# Words that tell a reader that something holds no longer.
MARK = re.compile(r"\b(?:not|was)\b|n't\b|no longer|supersede|replaced|instead|rejected|dropped|earlier|previously|~~")


def is_stale(old: LabelledAnchor, current: Sequence[LabelledAnchor], units: Units) -> bool:
    """Whether the superseded anchor stands in a unit that covers no current one, with no mark in the three lines around."""
    return any(
        covers(window, old.tokens) and not _tells_current(window, current) and not MARK.search(units.around(number))
        for number, window in enumerate(units.windows)
    )


def _tells_current(window: str, current: Iterable[LabelledAnchor]) -> bool:
    return any(covers(window, anchor.tokens) for anchor in current)
