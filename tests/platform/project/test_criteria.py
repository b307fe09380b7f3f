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


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_named_test_is_there(path: str, name: str) -> None:
    assert name in functions_of(PROJECT / path)


@pytest.mark.parametrize("row", ROWS)
def test_a_named_row_of_the_bench_is_there(row: str) -> None:
    scenarios = (PROJECT / "diagnostics" / "bench" / "scenarios.py").read_text(encoding="utf-8")
    assert f'row("{row}"' in scenarios or f'row(f"{row}"' in scenarios


def test_every_test_of_a_criterion_stands_in_the_table() -> None:
    named = {name for _, name in NAMED}
    found = {name for path in (PROJECT / "tests").rglob("test_*.py") for name in functions_of(path) if OF_CRITERIA.match(name)}
    assert found - named == set()
