"""A short list of the user's is told whole, and a nod of the agent's says nothing by itself."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.model import Knowledge, Quote, Ref, Request, RequestKind
from handoffs.budgeting.candidate import Candidate
from handoffs.building.words_of_then import with_whole_lists, without_mere_nods
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
    assert [(each.item.text, each.item.importance) for each in told] == [
        ("It has three forms:\n- " + "\n- ".join(CASES), 0.7),
        ("That is all that is needed.", 0.4),
    ]


def test_a_long_list_and_one_whose_end_was_not_kept_stay_as_they_are() -> None:
    long = ASKED.replace(CASES[1], CASES[1] + ", " + "and their titles, " * 60)
    assert [each.item.text for each in with_whole_lists([said(CASES[0])], known(long))] == [CASES[0]]
    assert [each.item.text for each in with_whole_lists([said(CASES[0])], known(ASKED[: ASKED.index(CASES[2])].rstrip("\n- ")))] == [
        CASES[0]
    ]


def test_what_is_told_with_the_request_is_not_told_twice() -> None:
    added = Candidate(SectionKind.GOAL, PackageItem("m4", "added@4", "The way is free, so go on.", 4, 0, 0.9, label="added"))
    assert with_whole_lists([added, said("The way is free, so go on.")], known()) == [added]


def test_nods() -> None:
    words = ["Good - the cache holds it for 60 seconds.", "Good, I see the pattern.", "The cache holds it."]
    told = without_mere_nods([said(each, "agent said") for each in words])
    assert [each.item.text for each in told] == ["The cache holds it for 60 seconds.", "The cache holds it."]
