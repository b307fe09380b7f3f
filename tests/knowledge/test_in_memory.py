"""Knowledge as a package gets it: ordered, merged, limited."""

from __future__ import annotations

from continuity.knowledge import FoldState, InMemoryStore, order_anchors, worth_telling
from continuity.knowledge.model import Anchor, AnchorFound, AnchorSettled, AnchorState, AnchorType, Ref, Task, TaskStatus, Truth
from continuity.knowledge.stored import latest_superseded, weight
from tests.knowledge.talk import agent, distil, person


def anchor(key: str, seq: int = 1, importance: float = 0.5, critical: bool = False, state: AnchorState = AnchorState.CURRENT) -> Anchor:
    return Anchor(key, AnchorType.DECISION, key, Ref(seq), importance, Truth.CLAIMED, "test", critical, state, settled_seq=seq)


def test_it_works() -> None:
    done = distil(person("Never push to main."), agent("The API timeout is 30 seconds, as `config.py` says since v1.2."))
    known = done.memory.knowledge(done.state, tokens=123)
    assert known.anchors[0].text == "Never push to main."
    assert (known.tokens, known.messages, known.through_seq, known.anchors_total) == (123, 2, 2, len(known.anchors))


def test_critical_anchors_come_first_then_weight_then_recency() -> None:
    rows = [anchor("old", 1, 0.8), anchor("new", 100, 0.8), anchor("light", 50, 0.2), anchor("law", 1, 0.1, critical=True)]
    assert [a.key for a in order_anchors(rows, 100)] == ["law", "new", "old", "light"]
    assert [a.key for a in order_anchors(rows, 100, 2)] == ["law", "new"]


def test_recency_adds_its_share() -> None:
    assert weight(anchor("a", 100, 0.5), 100) == 0.65
    assert weight(anchor("a", 0, 0.5), 100) == 0.5
    assert weight(anchor("a", 0, 0.5), 0) == 0.65


def test_the_number_of_anchors_is_limited_but_for_critical_ones_and_the_total_told() -> None:
    memory = InMemoryStore()
    rows = [anchor(f"light{n}", 50 - n, 0.2 + n / 100) for n in range(6)]
    memory.apply(AnchorFound(each) for each in (anchor("law", 1, critical=True), *rows))
    known = memory.knowledge(FoldState(), anchor_limit=3)
    assert {each.key for each in known.anchors} == {"law", "light5", "light0", "light1"}  # the most important, and the two latest
    assert known.anchors_total == 7


def test_the_latest_superseded_are_told_and_others_are_not() -> None:
    rows = [
        anchor("a", 3, state=AnchorState.SUPERSEDED),
        anchor("b", 9, state=AnchorState.SUPERSEDED),
        anchor("c", state=AnchorState.RESOLVED),
        anchor("d"),
    ]
    assert [a.key for a in latest_superseded(rows)] == ["b", "a"]


def test_open_tasks_in_order_then_the_last_completed() -> None:
    rows = [
        Task("a", "a", TaskStatus.COMPLETED, 1, 5, "m"),
        Task("b", "b", TaskStatus.NOT_STARTED, 3, 3, "m"),
        Task("c", "c", TaskStatus.BLOCKED, 2, 4, "m"),
        Task("d", "d", TaskStatus.COMPLETED, 1, 9, "m"),
    ]
    assert [t.key for t in worth_telling(rows)] == ["c", "b", "d", "a"]
    assert [t.key for t in worth_telling(rows, 1)] == ["c", "b", "d"]


def test_a_settled_anchor_stays_as_it_was_settled() -> None:
    memory = InMemoryStore()
    memory.apply(
        [AnchorFound(anchor("a")), AnchorSettled("a", AnchorState.RESOLVED, 2), AnchorSettled("a", AnchorState.SUPERSEDED, 3, "b")]
    )
    assert (memory.anchors["a"].state, memory.anchors["a"].settled_seq) == (AnchorState.RESOLVED, 2)


def test_settling_an_unknown_anchor_does_nothing() -> None:
    memory = InMemoryStore()
    memory.apply([AnchorSettled("a", AnchorState.RESOLVED, 2)])
    assert memory.knowledge(FoldState()).anchors == ()
