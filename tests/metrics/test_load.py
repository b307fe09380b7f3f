"""Load: a hundred conversations beside ten. How fast anything is, no test asks."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command

from continuity.models import Team
from diagnostics.bench import load
from diagnostics.bench.load_verdict import LoadVerdict

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_works(capsys: pytest.CaptureFixture[str], settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command, on a smaller scale: the limit is refused at, recorders are not, and the team is gone afterwards."""
    settings.MAX_CONCURRENT_SESSIONS = 14
    monkeypatch.setattr(load, "EVERY_SECONDS", 0.5)
    call_command("bench", "--load", "--json", "-n", "3")
    told = json.loads(capsys.readouterr().out)
    few, of_few, opened, many, of_many = told["rows"]
    assert [each["n"] for each in (few, of_few, opened, many, of_many)] == [54, 6, 4, 78, 6]
    assert opened["specified_ms"] == 50
    verdict = told["verdict"]
    assert (verdict["conversations"], verdict["refused_beyond"], verdict["recorder_let_in"]) == (14, True, True)
    assert verdict["opened_ms"] == opened["p95_ms"] > 0
    assert verdict["slower"] > 0
    assert verdict["slower_processor"] > 0
    assert verdict["metrics_cpu"] > 0
    assert not Team.objects.filter(slug__startswith="bench-").exists()


@pytest.mark.parametrize(
    "missed",
    [{}, {"opened_ms": 50.0}, {"slower": 1.51}, {"metrics_cpu": 0.02}, {"refused_beyond": False}, {"recorder_let_in": False}],
    ids=lambda missed: "".join(missed) or "none",
)
def test_one_miss_is_enough(missed: dict[str, Any]) -> None:
    reached = LoadVerdict(100, 49.9, 1.5, 1.0, 0.01, refused_beyond=True, recorder_let_in=True)
    assert replace(reached, **missed).ok is not bool(missed)
