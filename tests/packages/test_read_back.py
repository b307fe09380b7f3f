"""Our own directive, read back and rendered again, is a fixed point: nothing is lost, doubled or longer after any number of hops."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continuity.knowledge.model import (
    Anchor,
    AnchorType,
    CommandRun,
    FileAction,
    FileTouch,
    Knowledge,
    Quote,
    Ref,
    Situation,
    Task,
    TaskStatus,
    Truth,
)
from handoffs.contract.model import Style
from tests.packages.hops import hops, known, pasted, rendered, told
from tests.packages.samples import FILES, KNOWLEDGE, SITUATION, crowded

HOPS = 10
SMALLEST = 300  # tokens
# Words that could be taken for the grammar of a directive.
NASTY = (
    "[a3!]",
    "(a7?)",
    "“quoted”",
    "— left:",
    "— Because:",
    "(in progress)",
    "[x]",
    "Error:",
    "##",
    "- Goal",
    "·",
    ";",
    "[…]",
    "Not:",
    "`rm`",
)

NAMES = ("amber", "basalt", "cedar", "delta", "ember", "fjord", "garnet", "harbor", "indigo", "juniper", "kelp", "lichen")
words = st.lists(st.sampled_from(NAMES), min_size=3, max_size=9)
number = st.integers(1000, 999_999)
plain = st.builds(lambda chosen, n: f"The {' '.join(chosen)} is set to {n}.", words, number)
nasty = st.builds(
    lambda chosen, marks, n: " ".join([f"Item {n}", *chosen, *marks]), words, st.lists(st.sampled_from(NASTY), max_size=4), number
)


def knowledges(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Knowledge]:
    return st.builds(
        _knowledge,
        st.lists(st.tuples(st.sampled_from(AnchorType), texts, st.sampled_from(Truth), st.booleans()), max_size=14),
        st.lists(st.tuples(texts, st.sampled_from(TaskStatus), st.lists(texts, max_size=3), st.lists(texts, max_size=3)), max_size=4),
        st.lists(st.tuples(st.from_regex(r"[a-z]{3,9}/[a-z]{3,9}\.py", fullmatch=True), st.sampled_from(FileAction)), max_size=6),
        st.lists(texts, min_size=4, max_size=4),
        st.booleans(),
        st.sampled_from([True, False, None]),
    )


def _knowledge(anchors: Any, tasks: Any, files: Any, quotes: list[str], waiting: bool, passed: bool | None) -> Knowledge:
    found = [Anchor(f"a{n}", kind, text, Ref(n), 0.8, truth, "", critical) for n, (kind, text, truth, critical) in enumerate(anchors, 1)]
    work = [
        Task(f"t{n}", text, status, n, n, "", tuple(done), tuple(left) if status is not TaskStatus.COMPLETED else ())
        for n, (text, status, done, left) in enumerate(tasks, 1)
    ]
    touched = {path: FileTouch(path, action, 3, 9, note="old/name.py" if action is FileAction.RENAMED else "") for path, action in files}
    goal, request, step, asked = (Quote(text, Ref(n)) for n, text in enumerate(quotes, 1))
    situation = Situation(
        goal, request, step, waiting, asked if waiting else None, "/srv/app", "main", CommandRun("make check", 9, None, passed, "14 passed")
    )
    return Knowledge(tuple(found), (), tuple(work), tuple(touched.values()), situation, through_seq=99, anchors_total=len(found))


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("budget", [150, 400, 1000, 4000])
def test_it_works(style: Style, budget: int) -> None:
    texts = hops(KNOWLEDGE, budget, style, HOPS)

    assert texts[2:] == [texts[2]] * (HOPS - 1)
    first, last = (repr(told(known(pasted(text)))) for text in (texts[0], texts[-1]))
    # The bare lines of the narrative end in a stop that may be their words' own.
    assert first.replace(".'", "'") == last.replace(".'", "'") if style is Style.NARRATIVE else first == last


@pytest.mark.parametrize("style", list(Style))
def test_everything_that_fits_comes_back_as_it_was(style: Style) -> None:
    back, before = told(known(pasted(rendered(KNOWLEDGE, 8000, style)))), told(KNOWLEDGE)
    before["files"] = sorted((f.path.removeprefix("/srv/billing/"), f.action.value, f.note) for f in FILES)
    finished = [(t.description, t.status, t.steps_done, (), "") for t in KNOWLEDGE.tasks if t.status is TaskStatus.COMPLETED]
    before["tasks"] = sorted([*(t for t in before["tasks"] if t[1] is not TaskStatus.COMPLETED), *finished])
    # What was read before the request in work, and a command that printed nothing, are left out; the check is told as the check.
    before["files"] = [file for file in before["files"] if file[1] != "read"]
    before["commands"] = []
    # A question of the person's stands at its place in the history.
    question = next(a for a in KNOWLEDGE.anchors if a.type is AnchorType.QUESTION)
    # What was rejected is told of what a tool asked.
    before["anchors"] = [(*a[:5], "") for a in before["anchors"] if a[1] != question.text]
    first, *rest = before["requests"]
    before["requests"] = [first, (question.text, None), *rest]

    assert back == before


@pytest.mark.parametrize("style", list(Style))
def test_a_proposal_stays_one(style: Style) -> None:
    words = "I'd keep the invoices in one table."
    offer = Anchor("a1", AnchorType.DECISION, words, Ref(1), 0.8, Truth.CLAIMED, "decision.recommend")
    before = replace(KNOWLEDGE, anchors=(offer,), superseded=())

    texts = hops(before, 2000, style, 3)

    assert all(f"“{words}”" in text for text in texts)
    assert known(pasted(texts[-1])).anchors == ()


@pytest.mark.parametrize("style", list(Style))
def test_many_items_at_a_small_budget_do_not_decay(style: Style) -> None:
    texts = hops(crowded(120, critical=12), 1500, style, HOPS)

    assert texts[2:] == [texts[2]] * (HOPS - 1)
    assert [len(known(pasted(text)).anchors) for text in texts] == [len(known(pasted(texts[0])).anchors)] * (HOPS + 1)


@given(knowledges(plain), st.sampled_from(Style), st.sampled_from([SMALLEST, 800, 3000]))
@settings(max_examples=15, deadline=None)
def test_plain_words_are_a_fixed_point(knowledge: Knowledge, style: Style, budget: int) -> None:
    texts = hops(knowledge, budget, style, HOPS)
    # What is read back has a request, which what is made up here may lack: at the smallest budget it takes the place of another line.
    begun = texts[1] if budget == SMALLEST else texts[0]
    first, last = told(known(pasted(begun))), told(known(pasted(texts[-1])))

    assert texts[2:] == [texts[2]] * (HOPS - 1)
    assert [first[name] for name in ("anchors", "superseded", "files", "place", "check")] == [
        last[name] for name in ("anchors", "superseded", "files", "place", "check")
    ]
    assert [task[:2] for task in first["tasks"]] == [task[:2] for task in last["tasks"]]


@given(knowledges(nasty), st.sampled_from(Style), st.sampled_from([300, 800, 3000]))
@settings(max_examples=15, deadline=None)
def test_words_like_our_own_grammar_do_not_pile_up(knowledge: Knowledge, style: Style, budget: int) -> None:
    texts = hops(knowledge, budget, style, HOPS)

    assert texts[5:] == [texts[5]] * (HOPS - 4)
    assert len(texts[-1]) <= len(texts[1]) + 20


def test_a_number_in_the_directive_stays_the_origin_of_its_item() -> None:
    text = rendered(KNOWLEDGE, 4000, Style.STRUCTURED)
    reference = re.search(r"The staging tenant id is tn_4821\. \[(a\d+)\]", text)
    assert reference is not None

    (fact,) = (a for a in known(pasted(text)).anchors if "tn_4821" in a.text)
    assert fact.method == f"directive.{reference[1]}"
    assert text[fact.ref.start : fact.ref.end] == fact.text


def test_what_stands_in_another_line_is_known_again_by_its_name_there() -> None:
    rule = "Never touch the billing tables by hand."
    anchor = Anchor("a1", AnchorType.CONSTRAINT, rule, Ref(1), 1.0, Truth.STATED, "", True)
    task = Task("t1", "Now switch the trigger over and tell me when the tests pass.", TaskStatus.IN_PROGRESS, 2, 2, "request")
    goal = replace(SITUATION, objective=Quote(rule, Ref(1)))
    text = rendered(Knowledge((anchor,), tasks=(task,), situation=goal, through_seq=9), 4000, Style.STRUCTURED)

    assert "[m1, rule a1!]" in text
    assert "t1 in progress]" in text
    back = known(pasted(text))
    assert [(a.type, a.text, a.critical) for a in back.anchors] == [(AnchorType.CONSTRAINT, rule, True)]
    assert [(t.description, t.status) for t in back.tasks] == [(task.description, task.status)]


@pytest.mark.parametrize("style", list(Style))
def test_styles_can_change_at_every_hop(style: Style) -> None:
    knowledge, following = KNOWLEDGE, list(Style)
    after: Callable[[Style], Style] = lambda s: following[(following.index(s) + 1) % len(following)]  # noqa: E731
    for _ in range(6):
        knowledge, style = known(pasted(rendered(knowledge, 8000, style))), after(style)

    assert told(knowledge) == told(known(pasted(rendered(KNOWLEDGE, 8000, style))))
