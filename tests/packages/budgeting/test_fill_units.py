"""What fills the room that is left: what was said, and of what the agent thought only where nothing said yet tells where it led."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.coverage.carried import Carried, KeptUnit, Source, TermWeight
from continuity.knowledge.coverage.terms import terms_in
from continuity.knowledge.model import Knowledge, Quote, Ref, Request, RequestKind, RequestState, RequestStep
from tests.packages.samples import KNOWLEDGE, prepared

SAID = "The gateway of the kestrel cluster listens on port 7443 behind the proxy."
THOUGHT = "Perched falcons drop their leases whenever the quorum of three is lost."
LATER = "Merlin shards keep a copy of the ledger for nine days."
EARLIER = Request(
    2,
    RequestKind.REQUEST,
    Quote("Please look at the cluster.", Ref(2)),
    6,
    outcome=Quote("The cluster is healthy, and all nodes answer.", Ref(6)),
    tells=True,
    state=RequestState.ANSWERED,
)
WORK = Request(
    12,
    RequestKind.REQUEST,
    Quote("Now move the leases.", Ref(12)),
    18,
    files=("leases.py",),
    steps=(RequestStep("Add the table of leases", 14, ("leases.py",)),),
)


def unit(text: str, seq: int, source: Source) -> KeptUnit:
    return KeptUnit(text, seq, 0, 0, len(text), source)


def told(*units: KeptUnit, requests: tuple[Request, ...] = (EARLIER, WORK)) -> str:
    weights = tuple(TermWeight(term, 5.0) for term in sorted({term for each in units for term in terms_in(each.text)}))
    known: Knowledge = replace(KNOWLEDGE, anchors=(), requests=requests, carried=Carried(units, weights), tokens=9000)
    return prepared(known, budget=4000).text


def test_it_works() -> None:
    assert SAID in told(unit(SAID, 4, Source.AGENT))


def test_what_the_agent_only_thought_is_not_told() -> None:
    text = told(unit(THOUGHT, 4, Source.THOUGHT), unit(THOUGHT, 13, Source.THOUGHT), unit(LATER, 16, Source.THOUGHT))
    assert "falcons" not in text
    assert LATER not in text


def test_the_words_of_a_short_message_are_told_with_it_alone() -> None:
    rows = (replace(EARLIER, text=Quote("Look at the cluster: one of its nodes does not answer.", Ref(2))), WORK)
    assert SAID not in told(unit(SAID, 2, Source.PERSON), requests=rows)


def test_a_long_document_is_told_by_more_than_its_outline() -> None:
    document = f"# The cluster\n\n{'It has many nodes in a row. ' * 80}\n\n{SAID}"
    rows = (replace(EARLIER, text=Quote(document, Ref(2))), WORK)
    assert SAID in told(unit(SAID, 2, Source.PERSON), requests=rows)


def test_of_a_message_with_a_paste_the_pasted_lines_are_not_told() -> None:
    rows = (replace(EARLIER, pasted="40 lines: error: no such node"), WORK)
    assert SAID not in told(unit(SAID, 2, Source.PERSON), requests=rows)


def test_a_list_in_a_thought_of_the_work_is_told_unless_it_lists_what_comes() -> None:
    found = f"Now I understand which files are read:\n\n1. {THOUGHT}\n2. {SAID}\n3. {LATER}"
    planned = f"Let me take another way:\n\n1. {THOUGHT}\n2. {SAID}\n3. {LATER}"
    assert "Now I understand which files are read:" in told(unit(found, 13, Source.THOUGHT))
    assert "falcons" not in told(unit(planned, 13, Source.THOUGHT))
    assert "falcons" not in told(unit(found, 4, Source.THOUGHT)), "of an earlier request"


def test_a_sentence_told_already_and_a_point_out_of_its_list_fill_no_room() -> None:
    rows = (replace(EARLIER, outcome=Quote(SAID, Ref(6))), WORK)
    both = f"{SAID} {LATER}"
    assert LATER not in told(unit(both, 4, Source.AGENT), requests=rows)
    assert "Merlin" not in told(unit(f"- {LATER}", 4, Source.AGENT))
    assert "the new helper" not in told(unit("Update all callers of the ledger to use the new helper:", 4, Source.PERSON))


def test_what_was_said_between_the_steps_of_earlier_work_fills_room_only_where_it_finds_something_out() -> None:
    rows = (replace(EARLIER, files=("cluster.py",)), WORK)
    found = f"The root cause is the quorum: {LATER[:1].lower()}{LATER[1:]}"
    assert SAID not in told(unit(SAID, 4, Source.AGENT), requests=rows)
    assert found in told(unit(found, 4, Source.AGENT), requests=rows)
