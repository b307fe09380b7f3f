"""Every metric, alert and setting stands in the documentation: read from the code, so that a new one can't be forgotten."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from diagnostics.alerting.rules import AlertRule
from diagnostics.measuring.instruments import INSTRUMENTS

PROJECT = Path(__file__).resolve().parents[3]
OPERATIONS = (PROJECT / "docs" / "operations.md").read_text(encoding="utf-8")
EXAMPLE = (PROJECT / ".env.example").read_text(encoding="utf-8")
READERS = {"text", "integer", "number", "flag", "choice", "names", "path", "rate", "secret", "secrets"}


def first_words(path: Path, calls: set[str]) -> set[str]:
    """The first argument of all calls of these names, where it is written out."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
            if name in calls:
                found.add(node.args[0].value)
    return found


def in_a_row(name: str) -> bool:
    """Whether a row of a table begins with the name; rows may shorten what a group has in common."""
    return re.search(rf"^\|[^|]*`{re.escape(name)}`", OPERATIONS, re.MULTILINE) is not None


def test_it_works() -> None:
    """Metrics that single processes count by themselves stand there too."""
    own = set[str]()
    for path in (*(PROJECT / "continuity").rglob("*.py"), *(PROJECT / "diagnostics").rglob("*.py")):
        if "from prometheus_client import" in path.read_text(encoding="utf-8"):
            own |= first_words(path, {"Gauge", "Histogram"}) | {f"{name}_total" for name in first_words(path, {"Counter"})}
    assert own == {"registry_memory_usage_mb", "session_save_failures_total"}
    assert {name for name in own if not in_a_row(name)} == set()


@pytest.mark.parametrize("name", INSTRUMENTS)
def test_every_metric_is_documented(name: str) -> None:
    assert in_a_row(name)


@pytest.mark.parametrize("rule", [rule for rule in AlertRule if rule != AlertRule.TEST])
def test_every_alert_is_documented(rule: AlertRule) -> None:
    assert in_a_row(rule.value)


def test_every_setting_is_documented() -> None:
    read = set().union(*(first_words(path, READERS) for path in (PROJECT / "config").rglob("*.py")))
    settings = {name for name in read if re.fullmatch(r"[A-Z][A-Z0-9_]{3,}", name)}
    told = set(re.findall(r"^# ([A-Z][A-Z0-9_]+)=", EXAMPLE, re.MULTILINE))
    assert len(settings) > 80
    assert settings - told - {"CONTINUITY_DB_POOL", "CONTINUITY_RUN_FILE"} == set()
