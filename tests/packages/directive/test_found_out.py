"""What the agent found out on its way to an answer stays in the history, and what was carried out says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.directive_parser.grammar import CARRIED_OUT
from continuity.knowledge.language.reply_structure import finds_out
from continuity.knowledge.methods import ACCEPTED
from continuity.knowledge.model import AnchorType, RequestState, RequestStep, Truth
from continuity.transcripts.base.model import Message
from handoffs.building.line_equality import Folders, statement
from handoffs.contract.model import SectionKind, Style
from handoffs.directive.directive import render
from tests.knowledge.talk import agent, call, distil, person, ran, result
from tests.packages.directive.test_history import LAST, asked, known
from tests.packages.samples import anchor, prepared

CAUSE = "It's not the importer: the bug is in `retry.py`, which the exporter shares. Each pause is counted twice there."


def worked(n: int) -> list[Message]:
    edit = call("Edit", f"e{n}", file_path="retry.py", old_string=f"pause = {n}", new_string=f"pause = {n + 1}")
    return [
        edit,
        result("ok", f"e{n}"),
        *ran("pytest -q", "3 passed", call_id=f"p{n}"),
        agent(f"All {n + 3} tests pass now. Let me look on."),
    ]


def session(*later: Message) -> list[Message]:
    asks = person("Why does the importer wait twice as long as the exporter? Mend it.")
    on_the_way = [message for n in range(8) for message in worked(n)]
    return [
        asks,
        agent(CAUSE),
        *ran("git log -3", "a1 x"),
        agent("Write the test first, then mend it."),
        *on_the_way,
        agent("Done: the pauses are as long as they should be, in both of them."),
        *later,
    ]


def test_it_works() -> None:
    found = distil(*session(person("Now write it down in the handbook."))).knowledge
    assert CAUSE in [quote.text for quote in found.requests[0].told]
    text = render(prepared(found).package, Style.STRUCTURED)
    assert f"→ said earlier: “{CAUSE}”" in text and "tests pass now" not in text


def test_it_stays_when_many_others_followed() -> None:
    others = [message for n in range(6) for message in (person(f"Add page {n} to it."), agent(f"Page {n} is in the handbook now."))]
    rows = distil(*session(*others)).knowledge.requests
    assert [quote.text for quote in rows[0].told] == [CAUSE]
    text = prepared(distil(*session(*others)).knowledge).text
    assert text.index(CAUSE) < text.index("they should be, in both of them"), "in the order in which it was said"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (CAUSE, True),
        ("It turns out that the cache is per process.", True),
        ("This means that two workers see two caches.", True),
        ("The test fails because the clock is not frozen.", True),
        ("Now let me run the tests.", False),
        ("All 12 tests pass now.", False),
        ("Der Fehler liegt im Cache.", True),
    ],
)
def test_what_finds_something_out_is_known(words: str, expected: bool) -> None:
    assert finds_out(words) is expected


def test_a_failed_check_is_followed_by_what_mended_it() -> None:
    steps = (
        RequestStep("Add the retry", 11, ("retry.py",), "`pytest` failed", "expected 3 retries, got 2"),
        RequestStep("The first attempt was counted as a retry.", 12, ("retry.py",), "`pytest -q` passed"),
    )
    row = replace(asked(10, "Add the retry to the importer.", "It retries three times now."), steps=steps, last_seq=13)
    told = "“expected 3 retries, got 2” (`pytest`) → The first attempt was counted as a retry (retry.py) — passed since"
    assert told in prepared(known(row, asked(89, LAST))).text


def decided(state: RequestState, method: str = ACCEPTED) -> str:
    offer = anchor(AnchorType.DECISION, "I recommend a test of both pauses, and one of the sum.", 20, critical=True)
    offer = replace(offer, method=method, truth=Truth.STATED)
    yes = replace(asked(21, "yes", "Both tests are written and pass."), state=state)
    text = prepared(replace(known(yes, asked(89, LAST)), anchors=(offer,))).text
    return next(line for line in text.split("\n") if "I recommend a test" in line)


def test_a_decision_that_was_carried_out_says_so() -> None:
    assert decided(RequestState.DONE).endswith("one of the sum. (carried out) [a1!]")
    assert "(carried out)" not in decided(RequestState.OPEN)


def test_it_comes_back_in_its_own_words() -> None:
    back = distil(person(f"--- SESSION CONTINUATION ---\n\n## Decisions\n{decided(RequestState.DONE)}\n--- END CONTINUATION ---")).knowledge
    assert "I recommend a test of both pauses, and one of the sum." in [each.text for each in back.anchors]


def test_a_line_that_says_so_is_the_same_line_in_a_comparison() -> None:
    item = next(item for section in prepared().package.sections for item in section.items if section.kind is SectionKind.DECISIONS)
    done = item._replace(text=f"{item.text}{CARRIED_OUT}")
    assert statement(SectionKind.DECISIONS, done, Folders()) == statement(SectionKind.DECISIONS, item, Folders())
