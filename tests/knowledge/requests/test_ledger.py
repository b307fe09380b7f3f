"""What became of each message of the person, and which request is in work."""

import pytest

from continuity.knowledge import FoldState, fold
from continuity.knowledge.language.standing import is_for_now, is_standing
from continuity.knowledge.model import Quote, Ref, RequestKind, RequestState
from continuity.knowledge.requests import ledger
from continuity.knowledge.requests.ledger import in_work
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from tests.knowledge.talk import agent, call, distil, harness, person, ran, result

BRIEF = "Implement the following plan: " + "move the importer of the shop to the new queue and keep its tests green. " * 4
EDIT = (call("Write", file_path="/home/ada/shop/queue.py", content="x = 1\n"), result("ok"))


def rows(*messages):
    return distil(*messages).knowledge.requests


def test_it_works():
    row = rows(person("Please add a queue to the importer."), *EDIT, agent("Done. The importer has a queue now."))[0]

    assert (row.kind, row.state, row.continues) == (RequestKind.REQUEST, RequestState.DONE, False)


def test_a_question_within_running_work_leaves_the_work_open():
    found = rows(
        person(BRIEF), *EDIT, harness("[Request interrupted by user]"), person("Which queue is that?"), agent("The one in `queue.py`.")
    )

    assert [(row.state, row.continues) for row in found] == [(RequestState.OPEN, False), (RequestState.ANSWERED, True)]
    assert in_work(found)[0].seq == 1


def test_a_question_after_the_work_is_done_is_the_request_in_work():
    found = rows(
        person("Please add a queue."), *EDIT, agent("Done. It is added."), person("Which queue is that?"), agent("The one in `queue.py`.")
    )

    assert [row.state for row in found] == [RequestState.DONE, RequestState.ANSWERED]
    assert in_work(found)[0].text.text == "Which queue is that?"


def test_a_yes_to_what_was_offered_in_answer_to_a_question_sets_that_work():
    found = rows(
        person("Could the importer use a queue?"),
        agent("Yes, that is possible. Should I add a queue to the importer?"),
        person("yes, please do"),
    )

    assert (found[1].kind, found[1].continues) == (RequestKind.ANSWER, False)
    assert found[1].answers is not None and found[1].answers.text == "Should I add a queue to the importer?"
    assert (in_work(found)[0].seq, found[0].state) == (3, RequestState.ANSWERED)


def test_a_yes_within_work_goes_on_with_it():
    found = rows(
        person("Please add a queue to the importer."), *EDIT, agent("It is added. Should I add tests too?"), person("yes, please do")
    )

    assert (found[1].kind, found[1].continues) == (RequestKind.ANSWER, True)
    assert in_work(found)[0].seq == 1


def test_a_short_request_that_begins_with_and_adds_to_what_was_only_talked_about():
    begun = (person("Please add a queue to the importer."), agent("I will put it before the parser."))
    found = rows(*begun, person("and write a log of it"))
    assert [(row.kind, row.continues) for row in found] == [(RequestKind.REQUEST, False), (RequestKind.REQUEST, True)]
    assert in_work(found)[0].seq == 1

    done = rows(person("Please add a queue."), *EDIT, agent("Done. It is added."), person("and add a log to the parser"))
    assert in_work(done)[0].seq == 5


@pytest.mark.parametrize(
    "words", ["wait, the queue is shared by all shops", "Stop! those rows are of a customer", "warte, das geht so nicht"]
)
def test_what_holds_up_running_work_corrects_it(words):
    found = rows(person("Please add a queue to the importer."), *EDIT, person(words), *EDIT, agent("Done. Each shop has a queue."))
    assert [(row.kind, row.continues) for row in found[1:]] == [(RequestKind.CORRECTION, True)]
    assert [row.state for row in found] == [RequestState.DONE, RequestState.DONE]


@pytest.mark.parametrize("words", ["wait for the build, then push", "stop the server and start it anew", "wait, which queue is that?"])
def test_what_only_begins_so_is_a_request_or_a_question(words):
    found = rows(person("Please add a queue to the importer."), *EDIT, agent("Done. It is added."), person(words))
    assert found[-1].kind in (RequestKind.REQUEST, RequestKind.QUESTION)


def test_something_before_the_work_goes_on_and_a_commit_belong_to_it():
    work = (person(BRIEF), *EDIT, agent("The threads only fetch. All tests pass."))
    aside = (person("Very good. Before you go on: please check whether all of them are on one host."), agent("All 612 are on one host."))
    kept = (person("Then it is right as it is. Please commit."), *ran("git commit -am x", "[main 3fa91c2] Move it\n 1 file changed"))
    asked = agent("Committed. The last step is a limit of four minutes. A timer, or a deadline. Which do you prefer?")
    assert in_work(rows(*work, *aside))[0].seq == 1
    found = rows(*work, *aside, *kept, asked, person("The second, please."))

    assert [row.continues for row in found] == [False, True, True, True]
    assert (in_work(found)[0].seq, found[-1].kind) == (1, RequestKind.ANSWER)
    assert not rows(*work, *kept, agent("Committed."))[-1].continues, "as long as it is the last, it is what was asked for"


def test_an_aside_and_a_reply_that_asks_for_more_belong_to_the_work():
    work = (person(BRIEF), *EDIT)
    aside = person("btw don't bump the version, our script does it. and write the undo up as an issue, when the hotfix is out")
    assert [row.continues for row in rows(*work, aside)] == [False, True]
    asked = agent("Limits for each plan? I'd leave them.")
    assert [row.continues for row in rows(*work, asked, person("skip the plans, I'll ask Marek. please fix the header instead"))] == [
        False,
        True,
    ]
    assert [row.continues for row in rows(*work, agent("Done."), person("Please write the release notes for it."))] == [False, False]


def test_what_only_forbids_is_a_rule_and_begins_no_work():
    found = rows(
        person(BRIEF),
        *EDIT,
        agent("The manifest is changed, but not by me."),
        person("that's me, version 0.9.3. dont commit it, it goes with the tag"),
    )

    assert (found[-1].kind, found[-1].continues) == (RequestKind.RULE, True)


def test_a_no_to_what_was_proposed_is_an_answer_though_it_speaks_of_failing():
    found = rows(
        person("Please make a backup each night."),
        agent("The timeout of 5 s is too short, I'd make it 120 s. Shall I change it?"),
        person("no, don't touch the timeout. if it takes longer one day i want to see it fail"),
    )
    assert found[-1].kind is RequestKind.ANSWER


def test_what_was_taken_back_is_withdrawn():
    found = rows(person("Please rename the importer."), *EDIT, harness("[Request interrupted by user]"), person("never mind"))

    assert found[0].state is RequestState.WITHDRAWN


def test_a_failed_check_keeps_a_request_open():
    found = rows(person("Please add a queue."), *EDIT, *ran("pytest", "1 failed", 1, call_id="c2"), agent("Done. All is added."))

    assert found[0].state is RequestState.OPEN


def test_a_command_of_the_tool_sets_work_and_one_for_the_tool_does_not():
    def called(name):
        part = Part(PartKind.TEXT, Voice.HARNESS, f"<command-name>{name}</command-name>", data={"command": name})
        return Message(Role.USER, (part,), "")

    assert [(row.kind, row.command) for row in rows(called("/review"), called("/clear"))] == [(RequestKind.REQUEST, "/review")]


def test_a_paste_stands_beside_the_words():
    log = "\n".join(f"2026-01-02 10:00:0{n} ERROR worker: lost job {n}" for n in range(6))
    row = rows(person(f"Why does the worker lose jobs?\n\n{log}"))[0]

    assert row.text.text == "Why does the worker lose jobs?"
    assert row.pasted.startswith("6 lines: ")


def test_trouble_is_a_report():
    assert rows(person("Add a queue."), *EDIT, agent("Done."), person("the build fails now"))[1].kind is RequestKind.REPORT


@pytest.mark.parametrize(
    "text",
    [
        "Never push directly to main.",
        "Always run the tests before you commit.",
        "Don't touch the billing module.",
        "You may read the logs of production with `ssh logs`, nothing else there.",
        "You have read-only access to that database.",
        "Treat the vendor folder as read-only.",
        "Commit each step.",
        "Run the tests after every step.",
    ],
)
def test_standing(text):
    assert is_standing(text)


@pytest.mark.parametrize(
    "text",
    ["Only look, don't change anything yet.", "yes, do 1 and 4", "It never fired", "The button should always be visible.", "a" * 100_000],
)
def test_not_standing(text):
    assert not is_standing(text)


def test_for_now():
    assert is_for_now("don't push yet") and not is_for_now("Never push directly to main.")


def test_a_prefix_and_the_rest_are_all():
    messages = list(
        enumerate(
            (
                person(BRIEF),
                *EDIT,
                harness("[Request interrupted by user]"),
                person("Which queue?"),
                agent("That one. Should I go on?"),
                person("yes"),
                *EDIT,
                agent("Done. All tests pass."),
                person("commit this"),
            ),
            start=1,
        )
    )
    whole = fold(FoldState(), messages).state.to_json()
    for cut in range(len(messages)):
        begun = FoldState.from_json(fold(FoldState(), messages[:cut]).state.to_json())
        assert fold(begun, messages[cut:]).state.to_json() == whole


def test_a_full_ledger_is_measured_once_a_message(monkeypatch):
    measured = []
    size = ledger._size

    def measuring(row):
        measured.append(row.seq)
        return size(row)

    monkeypatch.setattr(ledger, "_size", measuring)
    kept: ledger.Rows = ()
    for seq in range(1, 200):
        words = Quote(f"Please look at part {seq}. " + "It has many words. " * 60, Ref(seq))
        before = len(kept)
        measured.clear()
        kept = ledger.heard(kept, seq, ledger.Heard(words, RequestKind.REQUEST), ended=True)
        assert len(measured) <= before + 1

    assert before == len(kept) < ledger.ROWS
    assert sum(map(size, kept)) <= ledger.SIZE
