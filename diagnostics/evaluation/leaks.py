"""Detects finished tasks that are offered again."""

from __future__ import annotations

import re

from diagnostics.evaluation.coverage import covers
from diagnostics.evaluation.labels import LabelledTask
from diagnostics.evaluation.units import Units

OPEN = re.compile(r"\[ \]|\b(?:to ?do|pending|next)\b|not.?started|in.?progress|remaining|near.?completion")
DONE = re.compile(r"\[x\]|\bdone\b|(?<!near[ _-])complete[ds]?\b|finished|[✓✔]")


def is_leaked(task: LabelledTask, units: Units) -> bool:
    """Whether a line names the completed task beside a word for open work and none for finished work."""
    return any(covers(line, task.tokens) and OPEN.search(line) and not DONE.search(line) for line in units.lines)
