"""The published scorers, where they are at hand, find the same figures in the same contexts."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnostics.evaluation.boundaries import find_boundaries
from diagnostics.evaluation.documents import score_document
from diagnostics.evaluation.index import readable
from diagnostics.evaluation.labels import parse_labels
from diagnostics.evaluation.material import cases
from diagnostics.evaluation.measuring import Measured
from diagnostics.evaluation.names import names_in
from diagnostics.evaluation.recall import share_stated
from diagnostics.evaluation.scoring import pooled, score
from diagnostics.evaluation.sizes import DirectiveSize
from handoffs.building.oneshot import from_transcript
from handoffs.contract.model import Options
from tests.evaluation.labelled import EVALUATION, LABEL_FILES, SHARED, anchor, needs_shared, probe, raw, task
from tests.packages.samples import NOW

pytestmark = needs_shared

COMPACTED = [
    SHARED / "transcripts" / "claude-code" / "PackmindHub__context-evaluator__c8946606a339-0.full.jsonl",
    SHARED / "transcripts" / "codex" / "EntityProcess__agentv__888ba8f699fb-1.full.jsonl",
]
BUDGETS = [pytest.param(budget, id=name, marks=pytest.mark.long if name != "some" else ()) for name, budget in
           (("few", 600), ("some", 2000), ("many", 8000))]  # fmt: skip
WORDS = "apple pear #17 #174 v1.2 a_name_here src/app/main.py readLine 0a1b2c3d4e friday not next [x] é ."
PIECES = ["\n", " ", *WORDS.split()]
MADE = raw(
    anchors=[anchor("apple", "pear", critical=True), anchor("#17"), anchor("friday", state="superseded"), anchor("a_name_here")],
    tasks=[task("readLine"), task("pear", status="completed")],
    files={"modified": ["x/src/app/main.py"]},
    probes=[probe("v1"), probe("apple", "main.py", dimension="artifact")],
)


@cache
def published(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EVALUATION / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # its dataclasses look their module up, and one scorer imports the other
    before = list(sys.path)
    spec.loader.exec_module(module)
    sys.path[:] = before
    return module


def figures(document: dict[str, Any]) -> dict[str, Any]:
    """Our document under the published scorer's names."""
    flat = {key: value for key, value in document.items() if isinstance(value, int | float | None)}
    flat |= {f"probes {dimension}": value for dimension, value in document["probes_by_dimension"].items()}
    return {key: value for key, value in flat.items() if key not in ("used", "seconds")}


@pytest.mark.parametrize("budget", BUDGETS)
def test_it_works(tmp_path: Path, budget: int) -> None:
    pairs, scores = [], []
    for case in cases(LABEL_FILES, default=EVALUATION, transcripts=None):
        context = tmp_path / f"{case.labels.name}.txt"
        made = from_transcript(case.transcript, Options(budget=budget), now=NOW, cut=case.labels.cut)
        context.write_text(made.prepared.text, encoding="utf-8")
        pairs += [str(EVALUATION / "labels" / f"{case.labels.name}.json"), str(context)]
        scores.append(Measured(case.labels.name, score(case.labels, made.prepared.text), 0, 0))

    run = subprocess.run([sys.executable, str(EVALUATION / "score.py"), *pairs, "--json"], capture_output=True, text=True, check=True)

    assert figures(score_document(DirectiveSize(budget), scores)["pooled"]) == json.loads(run.stdout)


@given(st.lists(st.sampled_from(PIECES), max_size=80))
def test_any_context_scores_the_same(pieces: list[str]) -> None:
    context = " ".join(pieces)
    theirs = published("continuation"), published("score")

    assert names_in(context) == theirs[0].items(context)
    assert readable(context) == theirs[0].readable(context)
    ours = score_document(DirectiveSize(0), [Measured("made", pooled([score(parse_labels(MADE, name="made"), context)]), 0, 0)])
    assert figures(ours["pooled"]) == theirs[1].score(MADE, context)


@given(st.text(alphabet="aB0_-./~@é \n", max_size=60))
def test_any_run_of_characters_holds_the_same_names(text: str) -> None:
    assert names_in(text) == published("continuation").items(text)


# The published scorer leaves its files for the collector to close.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("session", COMPACTED, ids=lambda session: session.parent.name)
def test_continuation_recall_is_the_same(session: Path) -> None:
    theirs = published("continuation")
    expected = list(theirs.boundaries(session))
    context = from_transcript(session, Options(), now=NOW).prepared.text

    found = find_boundaries(session)

    assert [each.line for each in found] == [each["line"] for each in expected]
    for ours, other in zip(found, expected, strict=True):
        assert (ours.before, ours.summary) == (other["pre_text"], other["summary"])
        assert (ours.needed, ours.carried) == (other["needed"], other["carried"])
        for told in (context, ours.summary):
            assert share_stated(told, ours.needed) == theirs.score(told, other["needed"])
            assert share_stated(told, ours.carried) == theirs.score(told, other["carried"])
