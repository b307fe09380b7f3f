"""All figures of one context, and of several pooled."""

from __future__ import annotations

import pytest

from diagnostics.evaluation.paths import named
from diagnostics.evaluation.scoring import ScoreFigure, pooled, score
from diagnostics.evaluation.shares import Share
from tests.evaluation.labelled import anchor, labels, probe, task

KNOWN = labels(
    anchor("apple", critical=True, type="decision"),
    anchor("pear", type="decision"),
    anchor("plum", critical=True, type="error"),
    anchor("quince", critical=True, state="superseded"),
    tasks=[task("exporter"), task("checker", status="blocked"), task("importer", status="completed")],
    files={"created": ["src/app/new.py"], "modified": ["/home/me/src/app/old.py", "src/app/new.py"], "deleted": ["gone.py"]},
    probes=[probe("apple"), probe("fig", dimension="error")],
)
CONTEXT = "An apple, a plum.\nExporter: in progress.\nImporter: in progress.\nApp/New.py, gone.py\n\n\n\nA quince."


def test_it_works() -> None:
    found = score(KNOWN, CONTEXT)

    assert found.figures == {
        ScoreFigure.CRITICAL: Share(2, 2),
        ScoreFigure.ANCHORS: Share(2, 3),
        ScoreFigure.STALE: Share(1, 1),
        ScoreFigure.TASKS_OPEN: Share(1, 2),
        ScoreFigure.TASKS_DONE_LEAK: Share(1, 1),
        ScoreFigure.FILES: Share(2, 3),
        ScoreFigure.PROBES: Share(1, 2),
    }
    assert found.by_type == {"decision": Share(1, 2), "error": Share(1, 1)}
    assert found.by_dimension == {"recall": Share(1, 1), "error": Share(0, 1)}
    assert found.tokens == len(CONTEXT) // 4


def test_sessions_are_pooled_over_their_items() -> None:
    other = labels(anchor("fig", type="error"), probes=[probe("fig", dimension="artifact")])

    both = pooled([score(KNOWN, CONTEXT), score(other, "no fruit")])

    assert both.figures[ScoreFigure.ANCHORS] == Share(2, 4)
    assert both.figures[ScoreFigure.CRITICAL] == Share(2, 2)
    assert both.by_type == {"decision": Share(1, 2), "error": Share(1, 2)}
    assert both.by_dimension == {"recall": Share(1, 1), "error": Share(0, 1), "artifact": Share(0, 1)}
    assert both.tokens == (len(CONTEXT) // 4 + len("no fruit") // 4) // 2


def test_of_no_items_there_is_no_figure() -> None:
    found = score(labels(), "anything")

    assert {share.value for share in found.figures.values()} == {None}


@pytest.mark.parametrize(("hits", "total", "value"), [(0, 3, 0.0), (1, 3, 0.333), (2, 3, 0.667), (3, 3, 1.0), (0, 0, None)])
def test_a_share_has_three_digits(hits: int, total: int, value: float | None) -> None:
    assert Share(hits, total).value == value


def test_a_file_is_named_by_its_last_two_components_also_in_the_index() -> None:
    index = " ".join(f"lib/some_file_{chr(97 + number)}.py" for number in range(26))

    assert named(["/a/b/lib/some_file_z.py"], index) == [True]
    assert named(["other/some_file_z.py"], index) == [False]
    assert named(["some_file_z.py"], index) == [True]
