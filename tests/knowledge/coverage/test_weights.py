"""The file of weights is read with its provenance, and refused by field."""

from __future__ import annotations

import pytest

from continuity.knowledge.coverage.weights import FILE, WEIGHTS, WeightsError, read_weights, written

TEXT = FILE.read_text(encoding="utf-8")


def test_it_works() -> None:
    assert written(WEIGHTS) == TEXT
    assert WEIGHTS.sessions > 0
    assert 0.5 < WEIGHTS.validate.auc < 1


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("seed = 1", 'seed = "1"', "fit.seed"),
        ("date = 2026-11-24", 'date = "today"', "fit.date"),
        ("\nprompt =", "\nmood =", "weights"),
        ("\nage = -", "\nage = nan # -", "weights.age"),
        ("\nage = -", "\nage = 1e9 # -", "weights.age"),
        ("[validate]", "[other]", "validate"),
        ("[fit]", "[fit", "weights"),
    ],
)
def test_a_bad_file_is_refused_by_field(old: str, new: str, named: str) -> None:
    assert old in TEXT
    with pytest.raises(WeightsError, match=f"^{named}:"):
        read_weights(TEXT.replace(old, new))
