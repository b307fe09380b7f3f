"""The table of criteria names tests and bench rows that exist, and every test that is named for a criterion stands in it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[3]
TABLE = (PROJECT / "docs" / "criteria.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", TABLE)
ROWS = [row for line in TABLE.splitlines() if "bench: " in line for row in re.findall(r"`([^`]+)`", line.partition("bench: ")[2])]
OF_CRITERIA = re.compile(r"test_(cont0[146]|fr00[1-5])")


def functions_of(path: Path) -> set[str]:
    return {node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}


def test_it_works() -> None:
    assert len(NAMED) > 40
    assert len(ROWS) > 5


def test_a_named_test_is_there() -> None:
    there = {path: functions_of(PROJECT / path) for path, _ in NAMED}
    assert [f"{path}::{name}" for path, name in NAMED if name not in there[path]] == []


@pytest.mark.parametrize("row", ROWS)
def test_a_named_row_of_the_bench_is_there(row: str) -> None:
    scenarios = (PROJECT / "diagnostics" / "bench" / "scenarios.py").read_text(encoding="utf-8")
    assert f'row("{row}"' in scenarios or f'row(f"{row}"' in scenarios


def test_every_test_of_a_criterion_stands_in_the_table() -> None:
    named = {name for _, name in NAMED}
    found = {name for path in (PROJECT / "tests").rglob("test_*.py") for name in functions_of(path) if OF_CRITERIA.match(name)}
    assert found - named == set()


LETTERED = {"002": "ab", "004": "a", "009": "a", "010": "a", "011": "a", "016": "abc", "034": "ab", "038": "a"}
REQUIRED = [
    *(f"FR-{number:03}" for number in range(1, 57) if number != 16),
    *(f"FR-{number}{letter}" for number, letters in LETTERED.items() for letter in letters),
    *(f"SC-{number:03}" for number in range(1, 31)),
]


@pytest.mark.parametrize("criterion", REQUIRED)
def test_every_requirement_of_specification_004_has_its_test_or_its_decision(criterion: str) -> None:
    rows = [line for line in TABLE.splitlines() if f"**{criterion}**" in line]
    assert rows
    assert all(re.search(r"::test_|bench|decision: |\]\(\w+\.md", row) for row in rows)


OF_FR051 = (
    *("STORAGE_TYPE", "STORAGE_PATH", "EVENT_RETENTION_HOURS", "SESSION_EXPIRATION_DAYS", "MAX_CONCURRENT_SESSIONS"),
    *("AGENT_STATE_MESSAGE_HISTORY", "AGENT_STATE_MAX_SIZE_MB", "EVENT_REGISTRY_MAX_SIZE", "HEARTBEAT_INTERVAL_MS"),
    *("LIVENESS_PROBE_TIMEOUT_MS", "ALERT_EMAIL_TO", "SMTP_HOST", "SMTP_PORT", "SMTP_USER", "SMTP_PASS"),
    *("ALERT_SLACK_WEBHOOK", "ALERT_PAGERDUTY_KEY"),
)
# What they are called where the code uses them.
CALLED = {"AGENT_STATE_MAX_SIZE_MB": "AGENT_STATE_MAX_SIZE_BYTES"}


@pytest.mark.parametrize("name", OF_FR051)
def test_every_setting_of_fr051_is_read_and_used(name: str) -> None:
    settings = (PROJECT / "config" / "settings.py").read_text(encoding="utf-8")
    assert f'"{name}"' in settings
    if name == "STORAGE_PATH" or name.startswith("SMTP_"):  # the data folder, and the names that Django gives to mail
        return
    used = [path for app in ("continuity", "handoffs", "diagnostics") for path in (PROJECT / app).rglob("*.py")]
    assert any(CALLED.get(name, name) in path.read_text(encoding="utf-8") for path in used)
