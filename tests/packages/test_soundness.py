"""A line on which preparing raises is left out of its package, and told of in the report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from continuity.knowledge import FoldState, InMemoryStore, fold
from continuity.knowledge.model import Knowledge
from handoffs.building import assembly, preparation
from handoffs.contract.model import Options, Prepared, Style
from handoffs.fidelity import scores
from handoffs.fidelity.probes import Bank, Probe, ProbeKind, questions
from tests.knowledge.talk import agent, person, ran
from tests.whole_way import COUNTER, NOW

RULE, POISON = "Never push to main.", "Always ask Kassandra before a deployment."
SAID = [person(RULE), person(POISON), agent("The root cause is a missing index on `orders.id`."), *ran("pytest -q", "3 passed")]


def known() -> Knowledge:
    numbered = list(enumerate(SAID, 1))
    folded, memory = fold(FoldState(), numbered), InMemoryStore()
    memory.apply(folded.changes)
    return memory.knowledge(folded.state)


def made(probes: tuple[Probe, ...] = (), style: Style = Style.STRUCTURED) -> Prepared:
    options = Options(budget=2000, style=style)
    return preparation.prepare(known(), options, counter=COUNTER, now=NOW, handoff_id="h", conversation_id="c", probes=probes)


def told(prepared: Prepared) -> list[str]:
    return [issue.description for issue in prepared.report.issues if issue.component == "Package"]


def raising(function: Callable[..., Any], meets: Callable[..., bool]) -> Callable[..., Any]:
    def called(*given: Any, **named: Any) -> Any:
        if meets(*given):
            raise KeyError(f"Kassandra in {given}")
        return function(*given, **named)

    return called


def has_poison(knowledge: Knowledge, *_: Any) -> bool:
    return any("Kassandra" in anchor.text for anchor in knowledge.anchors)


def test_it_works() -> None:
    prepared = made()
    assert RULE in prepared.text and POISON in prepared.text
    assert told(prepared) == []


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("where", ["expectation_of", "assemble", "Draft"])
def test_a_line_that_raises_is_left_out_and_counted(where: str, style: Style, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, where, raising(getattr(preparation, where), has_poison))
    prepared = made(style=style)
    (issue,) = told(prepared)
    assert issue.startswith("1 line (anchors) could not be told and is left out: KeyError at test_soundness.py:")
    assert "Kassandra" not in issue
    assert "Never push to main" in prepared.text
    assert [anchor.text for anchor in prepared.package.anchors if "Kassandra" in anchor.text] == []
    assert prepared.report.passes_threshold


def test_a_question_that_raises_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    probes = questions(Bank().read_on(list(enumerate(SAID, 1)))[0])
    bad = Probe(ProbeKind.RECALL, "What does Kassandra say?", "Kassandra", 2, 1.0)
    validate = scores.validate

    def checked(*given: Any, **named: Any) -> Any:
        if bad in named["probes"]:
            raise ValueError("Kassandra")
        return validate(*given, **named)

    monkeypatch.setattr(preparation, "validate", checked)
    prepared = made((*probes, bad))
    assert [answer.probe for answer in prepared.report.probes] == list(probes)
    assert told(prepared)[0].startswith("1 question (probes) could not be told and is left out: ValueError at ")


def test_what_every_package_raises_on_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "assemble", raising(assembly.assemble, lambda *_: True))
    with pytest.raises(KeyError):
        made()
