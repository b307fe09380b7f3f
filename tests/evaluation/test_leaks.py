"""A finished task is not offered again."""

from __future__ import annotations

import pytest

from diagnostics.evaluation.labels import LabelledTask
from diagnostics.evaluation.leaks import is_leaked
from diagnostics.evaluation.units import Units

IMPORTER = LabelledTask(("importer",), completed=True)


def leaked(context: str) -> bool:
    return is_leaked(IMPORTER, Units.of(context))


def test_it_works() -> None:
    assert leaked("- [ ] Rework the importer")
    assert not leaked("- [x] Rework the importer")


@pytest.mark.parametrize(
    "line",
    [
        "Todo: the importer",
        "to do: the importer",
        "importer (pending)",
        "importer: not started",
        "importer: not_started",
        "importer: in progress",
        "IMPORTER: IN-PROGRESS",
        "remaining: importer",
        "Next: the importer",
        "importer: near completion",
        "importer: near_completion",
    ],
)
def test_a_word_for_open_work_on_its_line_leaks_it(line: str) -> None:
    assert leaked(line)


@pytest.mark.parametrize("word", ["done", "[x]", "completed", "complete", "finished", "✓", "✔"])
def test_a_word_for_finished_work_on_its_line_clears_it(word: str) -> None:
    assert not leaked(f"next after the importer ({word})")


def test_the_line_alone_counts() -> None:
    assert not leaked("The importer takes files.\nNext: the exporter.")
    assert leaked("done: the exporter\nnext: the importer")


def test_the_word_must_be_whole_where_it_is_short() -> None:
    assert not leaked("the importer reads the nextcloud and is depending on it")
