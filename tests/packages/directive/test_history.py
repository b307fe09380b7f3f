"""The history of a directive: each request with what came of it, what one message said together, and little of it beside a note."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge import FoldState, fold
from continuity.knowledge.evidence import PartState, WorkPart
from continuity.knowledge.handoff_note import CheckedNote
from continuity.knowledge.model import AnchorType, Knowledge, Quote, Ref, Request, RequestKind, RequestStep, Situation, Truth
from continuity.knowledge.requests.overtaken import SETTLED
from handoffs.budgeting.limits import limits_for
from handoffs.contract.model import SectionKind, Style
from handoffs.directive.lines.anchors import anchor_candidates
from handoffs.directive.lines.blocks import outlined
from handoffs.directive.lines.request_steps import step_words
from handoffs.directive.past.history import _says_enough, history_candidates
from handoffs.directive.references import References
from handoffs.notes import form
from handoffs.notes.check import check
from tests.knowledge.talk import person
from tests.packages.samples import KNOWLEDGE, anchor, prepared

LAST = "Now write down in the handbook of the importer how its retries work, and since when."
PLAN = (
    "Implement the following plan:\n\n# Retries of the importer\n\n## Why\n" + "Rows are lost. " * 60 + "\n## Queue\nOne.\n## Tests\nTwo."
)


def asked(seq: int, words: str, outcome: str = "") -> Request:
    came = Quote(outcome, Ref(seq + 1)) if outcome else None
    return Request(seq, RequestKind.REQUEST, Quote(words, Ref(seq)), seq + 1, outcome=came, tells=True, files=("a.py",) if outcome else ())


def known(*rows: Request, **fields: object) -> Knowledge:
    plain = replace(KNOWLEDGE, anchors=(), superseded=(), tasks=(), files=(), turns=(), situation=Situation(), requests=rows)
    return replace(plain, through_seq=90, tokens=90_000, **fields)  # type: ignore[arg-type]


def noted(knowledge: Knowledge, history: list[str]) -> Knowledge:
    note: CheckedNote = check(form.read({"history": history}), knowledge, through_seq=80)
    return replace(knowledge, note=note)


ROWS = (
    asked(10, "Add the retry to the importer.", "The importer retries three times now, with growing pauses between them."),
    asked(20, "Log each of the retries.", "Each retry has a line in the log, with the number of the attempt in it."),
    asked(30, "Count the retries as well.", "The retries are counted by the queue, and the count is on the page of the job."),
    asked(89, LAST),
)
CAME = [row.outcome.text for row in ROWS if row.outcome]


def test_it_works() -> None:
    text = prepared(known(*ROWS), budget=4000).text
    places = [text.index(words) for row in ROWS[:3] for words in (row.text.text, row.outcome.text if row.outcome else "")]
    assert places == sorted(places)


def test_every_answer_is_told_shortly_before_a_few_are_told_whole() -> None:
    long = [
        asked(n, f"Please look at part {n}.", f"Part {n} was looked at. " + "It holds what was said of it before. " * 40)
        for n in range(1, 60, 3)
    ]
    text = prepared(known(*long, asked(89, LAST)), budget=4000).text
    assert [row.seq for row in long if f"Part {row.seq} was looked at." not in text] == []


def test_a_document_is_told_by_its_headings() -> None:
    told = outlined(PLAN, 80)
    assert told.startswith("Implement the following plan:\n")
    assert "Retries of the importer · Why · Queue · Tests" in told
    assert outlined("Please add a queue.", 80) == "Please add a queue."


def test_a_document_is_told_with_what_it_begins_with() -> None:
    about = "Rows are lost when the store is away.\n1. The importer tries once.\n2. Nobody is told."
    plan = (
        f"Implement the following plan:\n\n# Retries\n\n## Why\n\n{about}\n\n## Queue\n" + "One row at a time. " * 40 + "\n## Tests\nTwo."
    )
    assert outlined(plan, 80, opening=200).endswith(f"Retries · Why · Queue · Tests\n{about}")
    assert outlined(plan, 80, opening=70).endswith("Rows are lost when the store is away.")  # no list that is cut
    assert outlined(plan, 80, opening=20).endswith("Retries · Why · Queue · Tests")
    known_by = known(asked(10, plan, "The importer retries now, and says so."), asked(89, LAST))
    assert "Nobody is told." in prepared(known_by, budget=4000).text


def test_what_a_finished_plan_prescribed_is_worth_less_than_what_came_of_it() -> None:
    plan = (
        "Do what stands here.\n# Retries\n## Why\nRows are lost.\n## Queue\n" + "One row at a time goes in. " * 45
    )  # as the ledger keeps it
    rule = anchor(AnchorType.FACT, "Each row of the importer is kept apart from the others.", 10, truth=Truth.STATED)
    rows = (asked(10, plan[:1280], "The importer retries now."), asked(89, LAST))

    def worth(*states: PartState) -> float:
        parts = tuple(WorkPart(f"Part {n}", state, 11, 12) for n, state in enumerate(states))
        made = known(*rows, anchors=(rule,), situation=Situation(parts=parts))
        return anchor_candidates(made, References(made), limits_for(4000))[0].item.importance

    assert worth(PartState.DONE, PartState.DONE) < 0.5 * worth(PartState.DONE, PartState.OPEN)


def statements(seq: int) -> tuple[object, ...]:
    words = ("Rows of one customer stay together.", "A row without a customer is kept for a person.", "The oldest row goes first.")
    found = []
    start = 0
    for number, text in enumerate(words):
        fact = anchor(AnchorType.FACT, text, seq, truth=Truth.STATED)
        found.append(replace(fact, key=f"{9 - number}", ref=Ref(seq, 0, start, start + len(text))))
        start += len(text) + 1
    return tuple(found)


@pytest.mark.parametrize("style", list(Style))
def test_what_one_message_said_is_one_block_in_its_order_and_read_back_line_by_line(style: Style) -> None:
    rows = (asked(10, "These things hold for the importer.", "I will keep to these."), asked(89, LAST))
    text = prepared(known(*rows, anchors=statements(10)), budget=4000, style=style).text
    block = "".join(f"  > {words}\n" for words in ("Rows of one customer stay together.", "A row without a customer is kept for a person."))
    assert block + "  > The oldest row goes first.\n" in text
    read = fold(FoldState(), [(1, person(f"{text}\n\nGo on, please."))]).state.requests
    assert "The oldest row goes first." in [row.text.text for row in read]


def test_beside_a_note_that_tells_the_history_only_the_users_words_of_that_time_are_told() -> None:
    text = prepared(noted(known(*ROWS), ["The importer was given retries.", "They are logged.", "They are counted."]), budget=4000).text
    assert [row.seq for row in ROWS if row.text.text not in text] == []
    assert [words for words in CAME if words in text] == []


def test_a_note_of_one_statement_is_no_history() -> None:
    text = prepared(noted(known(*ROWS), ["All is fine."]), budget=4000).text
    assert [words for words in CAME if words not in text] == []


def test_what_a_person_stated_is_told_beside_any_note() -> None:
    rows = (asked(10, "These things hold for the importer.", "I will keep to these."), *ROWS[1:])
    before = known(*rows, anchors=statements(10))
    text = prepared(noted(before, ["The importer was given retries.", "They are logged.", "They are counted."]), budget=4000).text
    assert "A row without a customer is kept for a person." in text


def test_what_a_note_tells_of_a_request_with_its_words_is_told_once() -> None:
    history = ["“Add the retry to the importer.” - done, three times.", "Logging came next.", "Then the count."]
    text = prepared(noted(known(*ROWS), history), budget=4000).text
    assert text.count(ROWS[0].text.text) == 1
    assert [row.seq for row in ROWS if row.text.text not in text] == []


@pytest.mark.parametrize(
    ("said", "told"),
    [("The rows are counted. Let me run the tests now:", "The rows are counted."), ("Let me look at the queue first.", "")],
)
def test_what_the_agent_only_announced_is_told_by_the_work(said: str, told: str) -> None:
    text = prepared(known(asked(10, "Count the rows of the importer.", said), asked(89, LAST)), budget=4000).text
    assert "Let me" not in text
    assert told in text
    assert "changed a.py" in text


def test_what_was_asked_for_and_done_is_no_decision_but_what_was_chosen_is() -> None:
    words = ("Let's also add a page for the queue.", "Let's use one queue for each customer.")
    rows = (asked(10, " ".join(words), "Both are there: the page, and a queue for each customer of the importer."), asked(89, LAST))
    chosen = tuple(anchor(AnchorType.DECISION, text, 10, truth=Truth.STATED, critical=True) for text in words)
    made = prepared(known(*rows, anchors=chosen), budget=4000)
    assert [item.text for each in made.package.sections if each.kind is SectionKind.DECISIONS for item in each.items] == [words[1]]
    assert made.text.count(words[0]) == 1


def test_a_step_whose_check_passed_does_not_say_so_twice() -> None:
    steps = (
        RequestStep("All tests pass. Let me look at the lint:", 11, (), "`make lint` passed"),
        RequestStep("The count is cached.", 12, ("a.py",)),
    )
    assert [step_words(step) for step in steps] == ["`make lint` passed", "The count is cached. → a.py"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("Both ways work, and here is what each of them costs:\n- The first one reads a row twice\n- … 5 more\n" + "It is so. " * 9, False),
        (
            "Both ways work, and here is what each of them costs:\n- The first one reads twice\n- The second locks\n- … 1 more\nBoth end.",
            True,
        ),
        ("It is so.", False),
    ],
)
def test_a_shortened_answer_says_more_of_a_list_than_it_leaves_out(words: str, says: bool) -> None:
    assert _says_enough(words) is says


def test_where_its_opening_finds_no_room_a_document_is_told_by_its_headings() -> None:
    why = "Rows are lost when the store is away, and nobody learns of it. " * 8
    plan = f"Do this.\n# Retries\n## Why\n{why}\n## Queue\n{'One row at a time. ' * 120}\n## Tests\nTwo."
    rows = known(asked(10, plan, "It retries."), asked(89, LAST))
    line = next(each for each in history_candidates(rows, limits_for(4000)) if each.shorter)
    assert "Rows are lost" in line.item.text
    assert "Rows are lost" not in line.shorter[0] and "Retries · Why · Queue" in line.shorter[0]
    assert not any("Rows are lost" in each.item.text for each in history_candidates(rows, limits_for(2000)))


def test_a_yes_in_the_history_keeps_the_question_that_it_answers() -> None:
    answer = f"The importer drops rows where the queue is full, and where a row is torn. Want me to mend both of them?{SETTLED}"
    first = replace(asked(10, "Why are rows lost?"), kind=RequestKind.QUESTION, outcome=Quote(answer, Ref(11)))
    yes = replace(asked(20, "yes please", "Both of them are mended, and each has a test."), kind=RequestKind.ANSWER)
    text = prepared(known(first, yes, *ROWS[2:]), budget=4000).text
    assert text.index("Want me to mend both of them?") < text.index("User: “yes please”")
