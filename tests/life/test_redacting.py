"""Words that are redacted are gone from messages, knowledge, packages and copies; all else stays in its place."""

import pytest

from continuity import queries
from continuity.core.errors import ConversationGone, Invalid
from continuity.core.redaction import REDACTED, Redaction, walk
from continuity.models import Anchor, Conversation, Message
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from handoffs.models import Handoff
from handoffs.services.chains import resumption
from handoffs.services.erasure import erasing
from handoffs.services.packages import preparation
from tests.handoffs.story import RULE, story
from tests.life.everywhere import tables_holding
from tests.words import called, said

WORDS = "The customer is Wilhelmina Achterberg of Zutphen."
NAME = "Wilhelmina Achterberg"


@pytest.fixture
def by(owner):
    return erasing.By(owner.email, owner)


def append(conversation, *messages):
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages)
    fold_runner.catch_up(conversation_id=conversation.id)


def prepare(conversation):
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=preparation.options_of())


@pytest.fixture
def two(team):
    """A conversation with a rule that names a person, its package, and the successor who was told."""
    first = story(team, metadata={"customer": NAME})
    append(first, said(f"Never log names. {WORDS} Always ask {NAME} before a release."))
    append(first, called("Write", {"file_path": "/srv/app/who.json", "content": f'{{"who": "{NAME}"}}'}, call_id="c9"))
    handoff = prepare(first)
    second = resumption.resume(team=team, handoff_id=handoff.id).conversation
    append(second, said(f"{handoff.text}\nGo on, and tell {NAME}."))
    prepare(second)
    return first, second


def test_it_works(two, by):
    first, second = two
    assert {"session_handoffs", "continuity_anchor", "continuity_conversation"} <= tables_holding(NAME)
    erasure = erasing.erase_words(team=first.team, conversation_id=first.id, words=NAME, by=by)
    assert tables_holding(NAME) == set()
    jobs.run(job_id=erasure.job_id)
    erasure.refresh_from_db()
    assert (erasure.scope, erasure.completed_at is not None, erasure.removed["handoff"]) == ("words", True, 2)
    for each in (first, second):
        fold_runner.catch_up(conversation_id=each.id)
    assert tables_holding(NAME) == set()
    assert RULE in {anchor.text for anchor in queries.knowledge_of(Conversation.objects.get(id=second.id)).anchors}


def test_erasing_from_the_successor_reaches_the_original(two, by):
    _, second = two
    erasing.erase_words(team=second.team, conversation_id=second.id, words=NAME, by=by)
    assert tables_holding(NAME) == set()


def test_everything_else_keeps_its_place(two, by):
    first, _ = two
    before = Message.objects.get(conversation=first, seq=11).parts[0]["text"]
    erasing.erase_words(team=first.team, conversation_id=first.id, words=NAME, by=by)
    after = Message.objects.get(conversation=first, seq=11).parts[0]["text"]
    assert after == before.replace(NAME, REDACTED * len(NAME))
    fold_runner.catch_up(conversation_id=first.id)
    for anchor in Anchor.objects.filter(conversation=first, source_seq=11, origin_conversation=None):
        assert after[anchor.source_start : anchor.source_end] == anchor.text


def test_a_place_goes_and_the_same_words_elsewhere_in_messages_stay(two, by):
    first, _ = two
    text = Message.objects.get(conversation=first, seq=11).parts[0]["text"]
    start = text.index(WORDS)
    place = erasing.Place(seq=11, part=0, start=start, end=start + len(WORDS))
    erasing.erase_place(team=first.team, conversation_id=first.id, place=place, by=by)
    assert WORDS[4:] not in Message.objects.get(conversation=first, seq=11).parts[0]["text"]
    assert f"Always ask {NAME}" in Message.objects.get(conversation=first, seq=11).parts[0]["text"]
    assert tables_holding(WORDS[4:]) == set()


def test_a_place_twice_does_nothing_more(two, by):
    first, _ = two
    place = erasing.Place(seq=11, part=0, start=0, end=16)
    done = [erasing.erase_place(team=first.team, conversation_id=first.id, place=place, by=by) for _ in range(2)]
    assert [bool(each.removed) for each in done] == [True, False]
    for each in done:
        jobs.run(job_id=each.job_id)
        each.refresh_from_db()
        assert each.completed_at is not None


def test_packages_stay_usable(two, by):
    first, second = two
    erasing.erase_words(team=first.team, conversation_id=first.id, words=NAME, by=by)
    latest = Handoff.objects.get(conversation=second)
    resumed = resumption.resume(team=first.team, handoff_id=latest.id)
    assert NAME not in resumed.handoff.text
    assert RULE in resumed.handoff.text


@pytest.mark.parametrize("words", ["person", "text", "ab", "   ", "x" * 100_001])
def test_words_that_cannot_be_told_from_others_are_refused(two, by, words):
    with pytest.raises(Invalid, match=r"characters|records themselves"):
        erasing.erase_words(team=two[0].team, conversation_id=two[0].id, words=words, by=by)


@pytest.mark.parametrize("place", [(11, 0, 5, 5), (11, 0, 0, 10_000), (11, 3, 0, 5)])
def test_a_place_that_is_none_is_refused(two, by, place):
    with pytest.raises(Invalid):
        erasing.erase_place(team=two[0].team, conversation_id=two[0].id, place=erasing.Place(*place), by=by)


def test_words_of_an_erased_conversation_are_gone_already(two, by):
    first, _ = two
    erasing.erase_conversation(team=first.team, conversation_id=first.id, by=by)
    with pytest.raises(ConversationGone):
        erasing.erase_words(team=first.team, conversation_id=first.id, words=NAME, by=by)


@pytest.mark.parametrize(
    "copy",
    [
        WORDS,
        f"he said: {WORDS[:40]} …",
        WORDS.upper().lower().replace(WORDS.lower(), WORDS),
        f"…{WORDS[9:]}",
    ],
)
def test_clipped_copies_are_found(copy):
    assert NAME not in Redaction(WORDS).in_copies(copy)
    assert len(Redaction(WORDS).in_copies(copy)) == len(copy)


def test_sentences_of_a_longer_text_are_found_alone():
    redaction = Redaction("Call me at noon tomorrow.\nThe door code is 4711 again.")
    assert redaction.in_copies("The door code is 4711 again.") == REDACTED * 28
    assert redaction.exact("The door code is 4711 again.") == "The door code is 4711 again."


def test_words_inside_text_that_is_json_are_found():
    words = 'say "ü\\n" twice'
    redaction = Redaction(words)
    value = {"a": [words, {"b": '{"c": "say \\"ü\\\\n\\" twice"}'}], "n": 4}
    changed = walk(value, redaction.exact)
    assert changed["n"] == 4
    assert "twice" not in str(changed)
    assert walk(value, lambda text: text) is value
