"""A short request says what it leans on: the work it belongs to, the files it names, the question it answers. Nothing is told twice."""

from __future__ import annotations

import pytest

from continuity.knowledge.model import Knowledge
from continuity.transcripts.base.model import Message
from handoffs.contract.model import SectionKind
from tests.knowledge.talk import agent, call, distil, person, ran, result
from tests.packages.samples import prepared

WORK = "Our sender floods customers when a backlog drains. Add a limit for each endpoint, five in a second, that a setting can change."
SHORT = "do it, and describe the setting in docs/config.md"
RED = "FAILED tests/test_worker.py::test_drains - TimeoutError: not drained after 30 s\n1 failed, 148 passed in 41.2s"


def edited(path: str, number: int) -> tuple[Message, Message]:
    name = f"e{number}"
    return call("Edit", name, file_path=f"/home/ada/shop/{path}", old_string=f"a = {number}", new_string=f"b = {number}"), result(
        "ok", name
    )


def known(*messages: Message | tuple[Message, ...]) -> Knowledge:
    return distil(*messages).knowledge


def lines(knowledge: Knowledge, kind: SectionKind = SectionKind.NEXT) -> list[tuple[str, str]]:
    package = prepared(knowledge, budget=4000).package
    return [(item.label, item.text) for section in package.sections if section.kind is kind for item in section.items]


BEGUN = (
    person(WORK),
    edited("limits.py", 1),
    *ran("git commit -am 'Limit each endpoint'", "[main 3fa91c2] Limit each endpoint\n 1 file changed, 2 insertions(+)", call_id="g1"),
    agent("The limit is in, and committed. Each of the four workers has a limit of its own. Shall I divide it by their number?"),
)


def test_it_works() -> None:
    told = lines(
        known(*BEGUN, person("hm, does that need Redis?"), agent("No, it needs nothing new."), person(SHORT), edited("limits.py", 2))
    )
    assert ("goal", SHORT) in told
    assert ("belongs to", WORK) in told
    assert ("not opened", "docs/config.md") in told
    assert ("uncommitted", "limits.py") in told


def test_a_request_that_says_enough_needs_no_other() -> None:
    other = "Please write a page about the settings of the sender, with an example for each of them and its default, for our customers."
    other += " It stands beside the page about the importer, and has the same parts as that one: what for, how, and what may go wrong."
    told = lines(known(*BEGUN, person(other), edited("limits.py", 2)))
    assert [label for label, _ in told if label == "belongs to"] == []


@pytest.mark.parametrize("words", ["#" * 80, "# " * 40 + "\n#"])
def test_a_request_of_mere_marks_is_no_work_to_belong_to(words: str) -> None:
    begun = (person(words), edited("limits.py", 1), agent("Done. It is added."), person("does it pass?"), agent("Yes, it does."))
    told = lines(known(*begun, person("please add the same to limits.py"), edited("limits.py", 2)))
    assert [label for label, _ in told if label == "belongs to"] == []


def test_other_files_are_other_work() -> None:
    told = lines(known(*BEGUN, person("fix the typo on the login page"), edited("login.html", 2)))
    assert [label for label, _ in told if label == "belongs to"] == []


@pytest.mark.parametrize(
    "words",
    [
        "document it, but don't touch docs/config.md",
        'say "See docs/config.md for more" on the page',
        "document it as @docs/config.md says",
        "document it as https://example.org/docs/config.md says",
        "document it",
    ],
)
def test_files_that_are_only_mentioned_are_not_missed(words: str) -> None:
    told = lines(known(person(words), edited("limits.py", 2)))
    assert [label for label, _ in told if label == "not opened"] == []


@pytest.mark.parametrize("opened", ["docs/config.md", "shop/docs/config.md"])
def test_a_file_that_was_opened_is_not_missed(opened: str) -> None:
    told = lines(known(person(SHORT), edited("limits.py", 1), edited(opened, 2)))
    assert [label for label, _ in told if label == "not opened"] == []


def test_a_failing_check_is_told_once() -> None:
    knowledge = known(person(WORK), edited("limits.py", 1), *ran("python -m pytest -q", RED, 1, "t1"))
    assert [text for label, text in lines(knowledge) if label == "failing" and "test_drains" in text]
    assert lines(knowledge, SectionKind.ERRORS) == []


def test_what_a_commit_tells_is_not_told_beside_it() -> None:
    knowledge = known(*BEGUN, person("Now write a page about the settings of the sender, with an example for each of them."))
    history = lines(knowledge, SectionKind.RECENT)
    assert [text for label, text in history if label == "work" and "Limit each endpoint" in text]
    assert [label for label, _ in history if label == "step"] == []


def test_what_is_not_committed_is_told_though_another_line_names_it() -> None:
    knowledge = known(*BEGUN, person("Add a limit to limits.py, please: five in a second for each endpoint."), edited("limits.py", 2))
    assert ("uncommitted", "limits.py") in lines(knowledge)


def test_an_answer_stands_below_its_question() -> None:
    asked = agent("The limit is in. Should a full bucket drop or wait?\n\nA) drop and count\nB) wait up to 2 s\nC) requeue")
    text = prepared(known(person(WORK), edited("limits.py", 1), asked, person("B, but 5 seconds")), budget=4000).text
    places = [
        text.index(words) for words in ("Should a full bucket drop or wait?", "B) wait up to 2 s", "The user answered: “B, but 5 seconds”")
    ]
    assert places == sorted(places)
    assert "[settled since]" not in text[: places[-1]]


def test_a_yes_with_a_request_stands_below_what_was_offered() -> None:
    asked, words = (
        agent("The page is up again. Back to the export then?"),
        "yes. and use a semicolon between the fields, that is what our sheets want",
    )
    told = lines(known(*BEGUN, person("the login page is down, look at that first"), edited("login.py", 3), asked, person(words)))
    assert [label for label, _ in told if label in ("taken", "goal")] == ["taken", "goal"]
    assert ("taken", "The page is up again. Back to the export then?") in told


@pytest.mark.parametrize("words", ["a, but only for one release", "also count what was dropped", "now make it per customer instead"])
def test_what_leans_on_other_words_belongs_to_the_work_before(words: str) -> None:
    knowledge = known(*BEGUN, person("hm, what of the old name?"), agent("It breaks. I'd (a) keep it or (b) tell them."), person(words))
    assert WORK in [text for _, text in (*lines(knowledge), *lines(knowledge, SectionKind.GOAL))]


@pytest.mark.parametrize(("words", "waits"), [("Written: `audit.py`, as you asked.", True), ("Let me look at `audit.py` first.", False)])
def test_a_report_in_few_words_ends_the_turn(words: str, waits: bool) -> None:
    told = dict(lines(known(person("write the audit of the carts, please"), edited("audit.py", 1), agent(words))))
    assert told.get("waiting", "").startswith("Wait") is waits


WAYS = (
    "There are three ways to draw the lanes:\n\n1. **Thick lines**: they stand out.\n2. **Colours**: hard to tell apart.\n"
    "3. **End marks**: a mark where each session ends.\n\nWhich of them do you like?"
)


def test_a_choice_by_number_says_what_it_chose_where_it_stands() -> None:
    chosen = "**End marks**: a mark where each session ends."
    now = known(person("Draw lanes in the list."), agent(WAYS), person("i like option 3"), edited("lanes.py", 1))
    assert ("chose", chosen) in lines(now)
    later = known(
        person("Draw lanes in the list."), agent(WAYS), person("i like option 3"), edited("lanes.py", 1), agent("Drawn."),
        person("And now count the sessions of each day in the list, please, below the lanes."),
    )  # fmt: skip
    history = lines(later, SectionKind.RECENT)
    place = history.index(("user", "i like option 3"))
    assert history[place + 1] == ("chose", chosen)


def test_a_question_that_was_answered_is_no_next_step() -> None:
    told = lines(known(person("Draw lanes in the list."), agent(WAYS), person("i like option 3"), edited("lanes.py", 1)))
    assert not [text for label, text in told if label in ("begun", "next step")]
