"""What an agent thinks, announces or says on its way is no fact; what a person overruled holds no longer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.anchors.thoughts import unsaid
from continuity.knowledge.evidence import ChangedFile, Failure, Keeping, RefusedCall
from continuity.knowledge.model import (
    Anchor,
    AnchorType,
    CommandRun,
    FileAction,
    FileTouch,
    Quote,
    Ref,
    Request,
    RequestKind,
    RequestState,
    Situation,
    Truth,
)
from tests.packages.samples import KNOWLEDGE, anchor, prepared

FACT = "Each worker opens a connection of its own to the `invoices` store."
ASKED = "Share the connections among the workers of one machine, so that the store has no more of them than it can serve at once."
EARLIER = Request(
    2,
    RequestKind.REQUEST,
    Quote("Move the importer to the new store.", Ref(2)),
    6,
    outcome=Quote(f"The importer reads the new store now, and its pool is closed at the end. {FACT}", Ref(6)),
    tells=True,
    files=("importer.py",),
    state=RequestState.DONE,
)
WORK = Request(12, RequestKind.REQUEST, Quote(ASKED, Ref(12)), 18)


def claimed(text: str, seq: int, method: str) -> Anchor:
    return anchor(AnchorType.FACT, text, seq, truth=Truth.CLAIMED, method=method)


def told(*requests: Request, anchors: tuple[Anchor, ...] = (), now: Situation | None = None) -> str:
    known = replace(KNOWLEDGE, anchors=anchors, superseded=(), requests=requests, situation=now or Situation(), turns=())
    return prepared(known, budget=4000).text


def said(text: str, *, on_the_way: tuple[str, ...] = ()) -> Request:
    quotes = tuple(Quote(words, Ref(13 + number)) for number, words in enumerate(on_the_way))
    return replace(WORK, outcome=Quote(text, Ref(18)), told=quotes, tells=True)


def test_it_works() -> None:
    assert FACT in told(WORK, anchors=(claimed(FACT, 14, "fact.found"),))
    assert FACT not in told(WORK, anchors=(claimed(FACT, 14, unsaid("fact.found")),))


def test_what_the_agent_claimed_before_it_was_corrected_is_no_fact() -> None:
    corrected = replace(WORK, kind=RequestKind.CORRECTION, text=Quote("No, that is not so.", Ref(12)), continues=True)
    known = claimed("The pool of the store allows twelve connections at most.", 6, "fact.found")
    assert known.text in told(EARLIER, WORK, anchors=(known,))
    assert known.text not in told(EARLIER, corrected, anchors=(known,))


def test_of_what_it_reported_on_the_way_announcements_are_left_out() -> None:
    words = ("Still used.", "The pool of `store.py` is never closed. Now run the whole suite.", "Ich schaue mir jetzt den Leser an.")
    text = told(said("It is closed in `store.py` now, and all readers share it.", on_the_way=words))
    assert "Reported while working: “The pool of `store.py` is never closed.”" in text
    assert "Still used" not in text and "whole suite" not in text and "Leser" not in text


@pytest.mark.parametrize(
    ("step", "shown"),
    [
        ("Let me re-read it.", "“The pool of `store.py` is never closed. Let me re-read it.”"),
        ("Let me read `pool.py`.", "“Let me read `pool.py`.”"),
    ],
)
def test_a_next_step_that_names_nothing_stands_behind_what_it_is_about(step: str, shown: str) -> None:
    now = Situation(next_step=Quote(step, Ref(18)), waiting=False)
    assert f"Next step: {shown}" in told(said(f"It is slow. The pool of `store.py` is never closed. {step}"), now=now)


def test_words_before_a_refused_call_are_no_outcome() -> None:
    refusal = RefusedCall(12, "Bash", "make lint", said="don't lint now")
    text = told(EARLIER, WORK, now=Situation(refusals=(refusal,)))
    assert FACT not in text and "→ Done" not in text
    assert FACT in told(EARLIER, WORK)


@pytest.mark.parametrize(("edited", "place"), [(10, "## Now"), (14, "## Decisions")])
def test_a_refusal_after_which_the_work_went_on_is_no_part_of_now(edited: int, place: str) -> None:
    refusal = RefusedCall(12, "Bash", "make lint", said="don't lint now")
    added = replace(WORK, kind=RequestKind.REMARK, continues=True)
    known = replace(
        KNOWLEDGE,
        requests=(replace(EARLIER, outcome=None, files=()), added),
        situation=Situation(refusals=(refusal,)),
        files=(FileTouch("pool.py", FileAction.MODIFIED, edited, edited),),
    )
    text = prepared(known, budget=4000).text
    assert "The user refused: Bash “make lint”" in text[text.index(place) :].split("\n\n")[0]


def test_a_failed_check_is_told_without_what_it_printed_last_where_its_failures_are_named() -> None:
    check = CommandRun("make test", 14, 1, False, "WARN: no branch was removed")
    failure = Failure("make test", 15, "TestPool", "pool_test.go:52", cause="the pool is open")
    assert "WARN" not in told(WORK, now=Situation(verification=check, failures=(failure,)))
    assert "WARN" in told(WORK, now=Situation(verification=check))


def test_files_that_are_not_committed_are_named_once_among_what_is_so_now() -> None:
    names = tuple(f"pool{number}.py" for number in range(5))
    now = Situation(changed=tuple(ChangedFile(name, Keeping.UNCOMMITTED, 14) for name in names))
    text = told(replace(WORK, files=names), now=now)
    assert "Done for it so far: changed 5 files" in text
    assert "Not committed: pool0.py, pool1.py, pool2.py, pool3.py, pool4.py" in text


def test_a_request_that_is_done_is_no_decision_that_binds() -> None:
    words = "When you import invoices, let's also close the pool of the store."
    done = replace(EARLIER, text=Quote(words, Ref(2)))
    text = told(done, WORK, anchors=(anchor(AnchorType.DECISION, words, 2),))
    assert text.count(words) == 1 and "## Decisions" not in text


def test_the_exchange_that_led_to_the_request_is_not_told_again() -> None:
    asked = replace(EARLIER, kind=RequestKind.QUESTION, files=(), text=Quote("Why are there so many connections to the store?", Ref(2)))
    text = told(asked, replace(WORK, kind=RequestKind.QUESTION, text=Quote("And why do they stay open?", Ref(12))))
    assert text.count("Why are there so many connections to the store?") == 1


@pytest.mark.parametrize(
    ("words", "is_told"),
    [
        ("`TestPool_Close` — closes the pool of the store twice", False),
        ("All 12 tests of the store pass and the linter is clean.", False),
        ("`TestPool_Close` hangs, since the pool of the store is never closed.", True),
    ],
)
def test_what_a_test_is_for_and_that_it_passed_is_no_fact(words: str, is_told: bool) -> None:
    assert (words in told(EARLIER, WORK, anchors=(claimed(words, 6, "fact.found"),))) is is_told
