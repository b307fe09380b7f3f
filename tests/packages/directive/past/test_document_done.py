"""What a document decides binds no more once its work was committed."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.model import AnchorType, Knowledge, RequestState
from handoffs.building.settled_decisions import settled
from tests.packages.directive.test_history import LAST, asked, known
from tests.packages.samples import anchor

TEXT = "**State saved by the caller**: the handler changes it in place"


def session(*commits: str, method: str = "section.decisions") -> Knowledge:
    document = replace(asked(10, "Implement this plan. " * 80, "It is built."), state=RequestState.DONE)
    later = replace(asked(20, "commit it", "It is committed."), commits=commits)
    return known(document, later, asked(89, LAST), anchors=(anchor(AnchorType.DECISION, TEXT, 10, method=method),))


def binds(knowledge: Knowledge) -> bool:
    return settled(knowledge).anchors[0].critical


def test_it_works() -> None:
    assert not binds(session("4afd4e47 Save the state"))


def test_what_was_not_committed_still_binds() -> None:
    assert binds(session())


def test_what_the_person_chose_outside_of_its_sections_still_binds() -> None:
    assert binds(session("4afd4e47 Save the state", method="decision.choose"))
