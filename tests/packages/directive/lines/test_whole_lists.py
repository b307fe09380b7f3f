"""A short list of the user's is told whole."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.model import Knowledge, Quote, Ref, Request, RequestKind
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.duplicates import distinct
from handoffs.building.whole_lists import with_whole_lists
from handoffs.contract.model import PackageItem, SectionKind
from tests.packages.samples import KNOWLEDGE

CASES = ("If it is text: take it", "If it is a list: join its texts", "If it is absent: leave it empty")
ASKED = "Read the content.\n\nIt has three forms:\n- " + "\n- ".join(CASES) + "\n\nThat is all that is needed."


def said(text: str, label: str = "person said", *, importance: float = 0.4) -> Candidate:
    item = PackageItem("m4", f"a@{text[:30]}", text, 4, 0, importance, label=label)
    return Candidate(SectionKind.RECENT, item, start=max(0, ASKED.find(text)))


def known(text: str = ASKED) -> Knowledge:
    return replace(KNOWLEDGE, requests=(Request(4, RequestKind.REQUEST, Quote(text, Ref(4, 0, 0, len(text))), 9),))


def test_it_works() -> None:
    told = with_whole_lists([said(CASES[0]), said("That is all that is needed."), said(CASES[2], importance=0.7)], known())
    once = distinct(told)
    assert [(each.item.text, each.item.importance) for each in once.candidates] == [
        ("It has three forms:\n- " + "\n- ".join(CASES), 0.7),
        ("That is all that is needed.", 0.4),
    ]
    assert once.held_by == {told[2].item.key: told[0].item.key}


def test_a_long_list_and_one_whose_end_was_not_kept_stay_as_they_are() -> None:
    long = ASKED.replace(CASES[1], CASES[1] + ", " + "and their titles, " * 60)
    assert [each.item.text for each in with_whole_lists([said(CASES[0])], known(long))] == [CASES[0]]
    assert [each.item.text for each in with_whole_lists([said(CASES[0])], known(ASKED[: ASKED.index(CASES[2])].rstrip("\n- ")))] == [
        CASES[0]
    ]
