"""`manage.py evaluate --speakers`: what is specified is reached."""

from __future__ import annotations

from diagnostics.evaluation import speakers
from diagnostics.evaluation.speakers import choosing


def test_it_works() -> None:
    found = speakers.measured()
    for half in ("development", "held_out"):
        assert found["chosen"][half]["share"] >= choosing.TARGET
        assert found["chosen"][half]["of"] == 45
    assert found["chosen"]["independent"]["of"] == 60
    assert found["chosen"]["independent_held_out"]["of"] == 28
    assert found["chosen"]["independent_held_out"]["share"] >= choosing.TARGET
    for name in ("development", "held_out", "independent", "independent_held_out", "calibration"):
        assert found["chosen"][name]["sure"]["share"] >= choosing.TARGET
    # Of questions in other words the rules know next to nothing, and say so.
    symptoms = found["chosen"]["symptoms"]
    assert symptoms["sure"]["of"] - symptoms["sure"]["right"] <= 1
    assert symptoms["sure"]["of"] + symptoms["unsure"]["of"] == symptoms["of"] == 60
    assert found["played"]["share"] >= found["played"]["target"]
    assert found["played"]["failures"] > 100
    assert "held out" in speakers.table(found)
