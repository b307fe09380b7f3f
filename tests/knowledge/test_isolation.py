"""What cannot be read costs itself: a rule its sentence, a message its own words."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.core.isolation import MessageSkipped, RuleFault
from continuity.knowledge import FoldState, InMemoryStore, fold
from continuity.knowledge.extractors import user
from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.catalogue import RULES, Rule, RuleLine, RuleSet
from continuity.knowledge.rules.engine import ANYONE, cue
from continuity.pipeline import PipelineState, fold_step
from continuity.segments import OpenSegment, segment
from continuity.transcripts.base.model import Message
from continuity.usage.curve import UsageCurve, extend
from continuity.usage.token_ledger import account as ledger_account
from handoffs.fidelity.probes import Bank
from tests.knowledge.talk import agent, call, person, result
from tests.poison import POISON, QUOTED, poison_knowledge, poison_probes, poison_segments

RULE = "Never push to main."


def broken(line: RuleLine) -> bool:
    raise ValueError(QUOTED)


def test_it_works() -> None:
    rules = RuleSet(lambda: [Rule("any.broken", AnchorType.FACT, cue(r"\S"), ANYONE, 0.5, predicates={"broken": broken}), *RULES.rules])
    folded = fold(FoldState(), [(1, person(RULE))], rules=rules)
    assert folded.faults == [RuleFault("any.broken", "ValueError")]
    assert folded.skipped == ()
    sound = fold(FoldState(), [(1, person(RULE))])
    assert (folded.state.to_json(), folded.changes) == (sound.state.to_json(), sound.changes)


def test_a_rule_that_cannot_weigh_a_sentence_matches_it_still() -> None:
    def weighs(line: RuleLine) -> float:
        raise KeyError(QUOTED)

    rules = RuleSet(lambda: [Rule("any.heavy", AnchorType.CONSTRAINT, cue(r"\S"), ANYONE, 0.5, weigh=weighs)])
    folded = fold(FoldState(), [(1, person(RULE))], rules=rules)
    assert set(folded.faults) == {RuleFault("any.heavy", "KeyError")}
    assert folded.changes and not folded.skipped


SAID = [
    person(RULE),
    person(f"Use Postgres. {POISON}."),
    agent(f"The root cause is a missing index, says {POISON}."),
    agent("The root cause is a missing index on `orders.id`. Should I add it?"),
    person("yes"),
    call("Edit", file_path="a.py"),
    result("done"),
]
messages = st.lists(st.sampled_from(SAID), min_size=1, max_size=25)


@given(messages, st.data())
def test_a_prefix_and_then_the_rest_is_all(said: list[Message], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(said)))
    with pytest.MonkeyPatch.context() as patch:
        poison_knowledge(patch)
        numbered = list(enumerate(said, 1))
        whole = fold(FoldState(), numbered)
        before = fold(FoldState(), numbered[:cut])
        stored = FoldState.from_json(json.loads(json.dumps(before.state.to_json())))
        after = fold(stored, numbered[cut:])
    assert after.state.to_json() == whole.state.to_json()
    assert before.changes + after.changes == whole.changes
    assert before.skipped + after.skipped == whole.skipped
    assert [each.seq for each in whole.skipped] == [seq for seq, message in numbered if POISON in message.parts[0].text]


def test_what_cannot_be_read_leaves_nothing_but_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    poison_knowledge(monkeypatch)
    numbered = [(1, person(RULE)), (2, person(f"Use Postgres. {POISON}.")), (3, person("Never skip the tests."))]
    folded = fold(FoldState(), numbered)
    without = fold(FoldState(), [numbered[0], numbered[2]])
    assert folded.changes == without.changes
    assert folded.state.to_json() == {**without.state.to_json(), "messages": 3}
    (skipped,) = folded.skipped
    assert (skipped.seq, skipped.reader, skipped.error) == (2, "knowledge", "ValueError")
    assert skipped.place.startswith("poison.py:")
    assert POISON not in str(skipped)


def test_what_was_skipped_before_is_not_tried_again() -> None:
    numbered = [(1, person(RULE)), (2, person("Use Postgres.")), (3, person("Never skip the tests."))]
    folded = fold(FoldState(), numbered, known_skipped={2})
    assert folded.skipped == ()
    assert folded.changes == fold(FoldState(), [numbered[0], numbered[2]]).changes


def test_what_is_no_fault_of_a_message_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("continuity.knowledge.extractors.user.hear", lambda *_: (_ for _ in ()).throw(MemoryError))
    with pytest.raises(MemoryError):
        fold(FoldState(), [(1, person(RULE))])


def test_what_fails_once_only_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    hear, failing = user.hear, [TimeoutError()]

    def once(*given: object) -> None:
        if failing:
            raise failing.pop()
        hear(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(user, "hear", once)
    folded = fold(FoldState(), [(1, person(RULE))])
    assert not folded.skipped and folded.changes


@given(messages, st.data())
def test_segments_have_every_message(said: list[Message], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(said)))
    numbered = [(seq, message, 4000) for seq, message in enumerate(said, 1)]
    with pytest.MonkeyPatch.context() as patch:
        poison_segments(patch)
        whole = segment(OpenSegment(), numbered)
        before = segment(OpenSegment(), numbered[:cut])
        after = segment(OpenSegment.from_json(json.loads(json.dumps(before.state.to_json()))), numbered[cut:])
    assert (before.closed + after.closed, after.state.to_json()) == (whole.closed, whole.state.to_json())
    assert before.skipped + after.skipped == whole.skipped
    assert [each.seq for each in whole.skipped] == [seq for seq, message, _ in numbered if POISON in message.parts[0].text]
    divided = [*whole.closed, whole.state.so_far()]
    assert [seq for each in divided for seq in range(each.first_seq, each.last_seq + 1)] == [seq for seq, _, _ in numbered]


def test_the_curve_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def account(ledger: object, message: Message, tokens: int) -> object:
        if POISON in message.parts[0].text:
            raise ValueError(QUOTED)
        return ledger_account(ledger, message, tokens)  # type: ignore[arg-type]

    monkeypatch.setattr("continuity.usage.curve.account", account)
    extended = extend(UsageCurve(), [(1, person(RULE), 5), (2, person(POISON), 5), (3, person(RULE), 5)])
    assert [each.seq for each in extended.skipped] == [2]
    assert [point.seq for point in extended.curve.points] == [1, 3]
    assert extended.curve.through_seq == 3


def test_a_bank_of_questions_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("Never push to the branch main directly.", f"Never touch {POISON} either.", "Never skip a test.")
    said = list(enumerate(map(person, words), 1))
    poison_probes(monkeypatch)
    bank, skipped = Bank().read_on(said)
    assert [each.seq for each in skipped] == [2]
    assert bank.to_json() == Bank().read_on([said[0], said[2]])[0].to_json()


def test_a_step_tells_of_all_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    poison_knowledge(monkeypatch)
    poison_segments(monkeypatch)
    step = fold_step(PipelineState(), [(1, person(RULE), 5), (2, person(POISON), 5), (3, person(RULE), 5)], 3)
    assert {(each.seq, each.reader) for each in step.skipped} == {(2, "knowledge"), (2, "segments")}
    assert step.through == 3
    assert isinstance(step.skipped[0], MessageSkipped)
    memory = InMemoryStore()
    memory.apply(step.changes)
    assert [anchor.text for anchor in memory.anchors.values()] == [RULE]
