"""A short yes or a number means what was put before it."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

import pytest

from continuity.knowledge.language.acceptance import acceptance, is_bare
from continuity.knowledge.language.options import offered, options_of
from continuity.knowledge.language.sentences import split
from continuity.knowledge.model import AnchorType, RequestKind, Truth
from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, distil, person

OFFER = (
    "There are two ways to fix the login:\n\n1. Store the session in Redis and expire it after an hour\n"
    "2. Keep signed cookies and rotate the key nightly\n\nWhich of the two fixes do you prefer?"
)


def stated(*messages: Message) -> list[str]:
    """The decisions that the person's words made."""
    return [a.text for a in distil(*messages).current(AnchorType.DECISION) if a.truth is Truth.STATED]


def test_it_works() -> None:
    done = distil(person("Fix the login."), agent(OFFER), person("yes, do 2"))
    decision = next(a for a in done.current(AnchorType.DECISION) if a.truth is Truth.STATED)
    assert decision.text == "Keep signed cookies and rotate the key nightly"
    assert decision.rationale == "yes, do 2"
    assert decision.rejected == "Store the session in Redis and expire it after an hour"
    assert (decision.truth, decision.critical, decision.ref.seq) == (Truth.STATED, True, 2)


@pytest.mark.parametrize(
    ("answer", "count"),
    [("2", 1), ("option 1", 1), ("the second one", 1), ("both", 2), ("1 and 2", 2), ("let's go with 1", 1), ("last", 1)],
)
def test_choices_by_number_place_or_all(answer: str, count: int) -> None:
    assert len(stated(person("Fix the login."), agent(OFFER), person(answer))) == count


BULLETS = (
    "**Where should the banner stand?**\n\n- **A. At the top** — nobody overlooks it.\n- **B. At the bottom** — it delays nothing.\n"
    "- **C. Both** — a small one on top.\n\nWhich one?"
)
HEADINGS = (
    "I'd shorten them:\n\n**Option A: direct**\n- Type `git add`.\n\n**Option B: with a reason**\n- Type `git add` to stage it.\n"
    "- Type `git commit` to keep it.\n\nWhich one reads better to you?"
)
NESTED = "1. Keep the cookies\n   a) sign them\n   b) rotate the key\n2. Use Redis\n   a) expire after an hour\n   b) never\n\nWhich fix?"


@pytest.mark.parametrize(
    ("offer", "answer", "chosen"),
    [
        (BULLETS, "b", ["**B. At the bottom** — it delays nothing."]),
        (BULLETS, "a and c", ["**A. At the top** — nobody overlooks it.", "**C. Both** — a small one on top."]),
        (HEADINGS, "option b", ["**Option B: with a reason**\n- Type `git add` to stage it.\n- Type `git commit` to keep it."]),
        (NESTED, "2", ["Use Redis"]),
    ],
)
def test_options_that_are_marked_in_their_own_words(offer: str, answer: str, chosen: list[str]) -> None:
    assert stated(person("Go on."), agent(offer), person(answer)) == chosen


MARKS = {
    "numbers": [f"{number}." for number in range(1, 121)],
    "letters": [f"{letter}." for letter in ascii_lowercase] + [f"{letter * 2})" for letter in ascii_lowercase],
    "capitals": [f"{letter})" for letter in ascii_uppercase],
    "numerals": [f"{numeral})" for numeral in ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi")],
    "other digits": [f"{number}." for number in ("١", "٢", "٣", "٤", "٥", "٦", "٧", "٨", "٩", "١٠", "١١")],
    "headings": [f"### {number}." for number in range(1, 13)],
    "options": [f"- **Option {number}:**" for number in range(1, 13)],
}


@pytest.mark.parametrize("marks", MARKS.values(), ids=MARKS)
def test_a_list_goes_on_however_it_counts(marks: list[str]) -> None:
    offer = "I see these ways:\n\n" + "\n".join(f"{mark} Store it in table {mark[:-1]}" for mark in marks) + "\n\nWhich one do you prefer?"
    options = options_of(split(offer), 300)
    assert [first.text.partition("Store it")[2] for first, _ in options] == [f" in table {mark[:-1]}" for mark in marks]
    assert offered(split(offer)) is not None
    assert len(stated(person("Fix it."), agent(offer), person("2"))) == 1


@pytest.mark.parametrize(
    ("answer", "mark"),
    [
        ("2, but rotate it weekly", "2"),
        ("B, but 5 seconds", "b"),
        ("b but without the cookie", "b"),
        ("go with option 1 and keep the old one for a month", "1"),
        ("the second one, with a test", "2"),
        ("yes, 2 – aber ohne Redis", "2"),
    ],
)
def test_a_choice_says_what_is_to_be_different(answer: str, mark: str) -> None:
    accepted = acceptance(answer)
    assert accepted is not None
    assert accepted.choices == (mark,)
    assert accepted.rest
    assert not is_bare(answer)


@pytest.mark.parametrize("words", ["a cookie, but signed", "2 tests fail, but only here", "first, and above all, sign it", "2, but why?"])
def test_words_that_only_begin_like_a_choice(words: str) -> None:
    accepted = acceptance(words)
    assert accepted is None or not accepted.choices


def test_what_is_taken_with_a_change_is_decided_in_the_persons_words() -> None:
    done = distil(person("Fix the login."), agent(OFFER), person("2, but rotate it weekly"))
    (decision,) = [a for a in done.current(AnchorType.DECISION) if a.truth is Truth.STATED]
    assert decision.text == "2, but rotate it weekly"
    assert decision.rationale == "Which of the two fixes do you prefer? Keep signed cookies and rotate the key nightly"
    row = done.knowledge.requests[-1]
    assert (row.kind, row.continues) == (RequestKind.ANSWER, True)


def test_a_choice_with_a_change_of_what_nobody_offered_is_a_message_of_its_own() -> None:
    done = distil(person("Fix the login."), agent("It is fixed."), person("2, but rotate the key weekly and add a test for it"))
    assert done.knowledge.requests[-1].kind is RequestKind.REQUEST
    assert stated(person("Fix the login."), agent(OFFER), person("7, but weekly")) == []


def test_a_number_that_was_not_offered_decides_nothing() -> None:
    assert stated(person("Fix the login."), agent(OFFER), person("7")) == []


def test_a_yes_accepts_the_recommended_course() -> None:
    offer = "I'd just inline the helper into `handle_end` and close the other ticket. Want me to go ahead?"
    done = distil(person("What now?"), agent(offer), person("yeah let's do it"))
    assert done.texts(AnchorType.DECISION) == ["I'd just inline the helper into `handle_end` and close the other ticket."]


def test_a_yes_to_a_routine_question_decides_nothing() -> None:
    done = distil(person("Fix it."), agent("All tests pass. Want me to commit and push?"), person("yes"))
    assert done.current(AnchorType.DECISION) == []


def test_firm_agreement_accepts_a_recommendation_that_asked_nothing() -> None:
    advice = agent("The better setup is to keep the remote in the ignored local file only.")
    assert stated(person("Which one?"), advice, person("I agree, let's do that")) == [advice.parts[0].text]
    assert stated(person("Which one?"), advice, person("ok")) == []


def test_the_question_is_resolved_by_the_decision() -> None:
    done = distil(person("Fix the login."), agent(OFFER), person("2"))
    question = next(a for a in done.memory.anchors.values() if a.type is AnchorType.QUESTION)
    decision = next(a for a in done.current(AnchorType.DECISION) if a.truth is Truth.STATED)
    assert question.superseded_by == decision.key


@pytest.mark.parametrize(
    ("question", "answer", "decided"),
    [
        ("Should the dead letter queue be kept for 7 or 30 days?", "30 days. And write the tests.", "30 days."),
        ("Shall the worker use Redis or Postgres for its queue?", "Postgres", "Postgres"),
        ("Which database should the worker use?", "MariaDB, please.", "MariaDB, please."),
        ("Wie viele Versuche soll der Worker machen?", "vier", "vier"),
        ("Should I also drop the old cron table?", "No.", "No."),
        ("Should I also drop the old cron table?", "not yet", "not yet"),
        ("Soll ich das gleich ausliefern?", "nein, erst nach dem Review von Jana", "nein, erst nach dem Review von Jana"),
    ],
)
def test_a_few_words_choose_of_what_is_asked(question: str, answer: str, decided: str) -> None:
    done = distil(person("Fix the queue."), agent(f"The queue has two faults.\n\n{question}"), person(answer))
    decision = next(a for a in done.current(AnchorType.DECISION) if a.truth is Truth.STATED)
    assert (decision.text, decision.rationale, decision.critical) == (decided, question, True)
    assert not done.current(AnchorType.QUESTION)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What would you like to do next?", "the tests"),
        ("What do you think of it?", "nice work there"),
        ("Should I also drop the old cron table?", "the API answers slowly"),
        ("Shall the worker use Redis or Postgres for its queue?", "which one is faster?"),
        ("Shall the worker use Redis or Postgres for its queue?", "show me the code first"),
        ("Where should the metrics go?", "I looked at it for a while and there are several places where they could go"),
        *(("Which database should the worker use?", put_off) for put_off in ("I don't know.", "You decide.", "Good question.", "hm, wait")),
        ("Welche Datenbank soll der Worker nehmen?", "Weiß ich nicht."),
        ("Is there anything else that I should do?", "No."),
        ("Do you see an error in the log?", "no"),
    ],
)
def test_other_words_are_no_answer(question: str, answer: str) -> None:
    assert stated(person("Fix the queue."), agent(question), person(answer)) == []


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "Yep!", "ok", "sounds good", "LGTM", "ja", "d'accord", "ok, go ahead", "do it", "thanks!", "continue", "weiter"),
        *("Good. Go on.", "Good, go on", "ok thanks. go ahead", "Perfect! Please continue."),
    ],
)
def test_bare_answers(text: str) -> None:
    assert is_bare(text)


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "yes, but keep the old endpoint alive",
        "which one is faster?",
        "fix the tests",
        "okay so what have we got there?",
        "Good. Now rename it.",
    ],
)
def test_words_of_their_own(text: str) -> None:
    assert not is_bare(text)


@pytest.mark.parametrize("text", ["no", "never", "2 of the tests fail on main", "a new idea: use Redis", "yes?", ""])
def test_look_alikes_accept_nothing(text: str) -> None:
    assert acceptance(text) is None
