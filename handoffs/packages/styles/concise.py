"""As few words as will do: short headings, no introduction."""

from __future__ import annotations

from continuity.distill.directive.vocabulary import CONCISE
from handoffs.packages.styles.manner import Manner

MANNER = Manner(
    opening="",
    headings=CONCISE.headings,
    phrases=CONCISE.phrases,
    section_end="",
)
