"""Marks behind sentences of the ledger that time has overtaken: in square brackets, as what an editor adds to quoted words."""

from __future__ import annotations

REPLACED = " [no longer so]"  # behind a sentence that a later one took the place of
SETTLED = " [settled since]"  # behind a question that was answered, and a promise that was kept
