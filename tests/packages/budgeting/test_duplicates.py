from __future__ import annotations

from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.duplicates import distinct
from handoffs.contract.model import PackageItem, SectionKind


def line(key: str, text: str, kind: SectionKind = SectionKind.FACTS, *, critical: bool = False, essential: bool = False) -> Candidate:
    return Candidate(kind, PackageItem(key, key, text, 1, 0, 0.5, critical), essential=essential)


def kept(*candidates: Candidate) -> list[str]:
    return [candidate.item.key for candidate in distinct(candidates).candidates]


def test_it_works() -> None:
    found = distinct([line("a", "The port is 8091."), line("b", "Known: the **port** is 8091. It is free.")])

    assert [candidate.item.key for candidate in found.candidates] == ["b"]
    assert [candidate.item.key for candidate in found.duplicates] == ["a"]
    assert found.held_by == {"a": "b"}


def test_a_critical_anchor_stays_beside_a_long_line_that_mentions_it() -> None:
    long = line("n", "Please rework the export. Never touch the archive. It belongs to the other team.", SectionKind.NEXT, essential=True)

    assert kept(long, line("a", "Never touch the archive.", SectionKind.RULES, critical=True)) == ["n", "a"]
    assert kept(long, line("a", "Never touch the archive.", SectionKind.FACTS)) == ["n"]


def test_an_essential_gives_way_only_to_its_equal() -> None:
    goal = line("g", "Move the job to the scheduler and test it.", SectionKind.GOAL, essential=True)

    assert kept(goal, line("s", "test it.", SectionKind.NEXT, essential=True)) == ["g", "s"]
    assert kept(goal, line("s", "Move the job to the scheduler and test it.", SectionKind.NEXT, essential=True)) == ["g"]


def test_the_history_holds_what_the_agent_claimed_in_it_but_no_word_of_a_person_and_no_rule() -> None:
    told = line("r", "I looked: the port is 8091. Shall I go on?", SectionKind.RECENT)

    claim = line("a", "The port is 8091.")

    assert kept(told, claim._replace(item=claim.item._replace(claimed=True))) == ["r"]
    assert kept(told, claim) == ["r", "a"]
    assert kept(told, line("a", "The port is 8091.", SectionKind.RULES)) == ["r", "a"]
    assert kept(told, line("a", "The port is 8091.", SectionKind.DECISIONS)) == ["r", "a"]


def test_paths_and_places_are_no_duplicates_of_sentences() -> None:
    path = line("f", "jobs/nightly.py", SectionKind.FILES)

    assert kept(line("a", "The trigger is set in jobs/nightly.py."), path, line("c", "jobs", SectionKind.STATE)) == ["a", "f", "c"]


def test_what_the_agent_claims_in_its_last_words_is_told_there_alone() -> None:
    said = line("w", "I looked: the port is 8091. Shall I go on?", SectionKind.LAST)
    said = said._replace(item=said.item._replace(label="last words"))
    claim = line("a", "The port is 8091.")

    assert kept(claim._replace(item=claim.item._replace(claimed=True)), said) == ["w"]
    assert kept(claim, said) == ["a", "w"]
    assert kept(line("a", "The port is 8091.", critical=True), said) == ["a", "w"]


def test_what_was_said_to_a_request_in_work_is_held_by_its_line() -> None:
    said = "We use migrations in staging too."
    added = Candidate(SectionKind.GOAL, PackageItem("w", "w", f"{said} Go on.", 9, 0, 0.9, False, label="added"))
    then = Candidate(SectionKind.RECENT, PackageItem("a", "a", said, 9, 0, 0.5, False, label="person said"))

    found = distinct([added, then])

    assert [candidate.item.key for candidate in found.candidates] == ["w"]
    assert found.held_by == {"a": "w"}
    assert len(distinct([added, then._replace(item=then.item._replace(critical=True))]).candidates) == 2
