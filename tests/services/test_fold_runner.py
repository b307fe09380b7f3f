"""Knowledge follows its messages: in steps, once, whoever asks, and back when a stretch is rewound."""

import threading

import pytest
from django.db import connection

from continuity import queries
from continuity.knowledge import EPOCH, FoldState, InMemoryStore, fold
from continuity.models import Anchor, Conversation, FileTouch, FoldCheckpoint, Message, Task
from continuity.models import FoldState as StoredState
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations, message_store
from continuity.transcripts.base.model import Message as TranscriptMessage
from tests.words import answered, called, resulted, said

RULE = "Never change the public API of the client."


def write(path: str, call_id: str) -> list[TranscriptMessage]:
    return [called("Write", {"file_path": path, "content": "x"}, call_id=call_id), resulted("File created successfully", call_id=call_id)]


def talk(count: int) -> list[TranscriptMessage]:
    """`count` messages in which rules, decisions and files come and go."""
    messages: list[TranscriptMessage] = []
    for number in range(count // 4 + 1):
        messages += [said(f"Use a limit of {number + 10} for importer {number % 7}."), *write(f"src/part{number % 40}.py", f"c{number}")]
        messages.append(answered(f"The importer {number % 7} now has its limit. Next I'll test it."))
    return messages[:count]


def record(conversation, messages, **more):
    for start in range(0, len(messages), 500):
        batch = messages[start : start + 500]
        conversations.append(team=conversation.team, conversation_id=conversation.id, messages=batch, **more)


def rows(conversation):
    """All knowledge of a conversation, comparable."""
    of = {"conversation": conversation}
    return (
        sorted(Anchor.objects.filter(**of).values_list("key", "state", "source_seq", "settled_seq", "importance", "text")),
        sorted(Task.objects.filter(**of).values_list("key", "status", "last_seq")),
        sorted(FileTouch.objects.filter(**of).values_list("path", "action", "epoch", "first_seq", "last_seq", "count")),
        StoredState.objects.get(**of).state,
    )


@pytest.fixture
def conversation(team):
    return conversations.create(team=team)


def test_it_works(conversation):
    record(conversation, [said(RULE), *write("src/a.py", "c1")])
    progress = fold_runner.catch_up(conversation_id=conversation.id)
    assert (progress.through_seq, progress.complete) == (3, True)
    assert Anchor.objects.get(conversation=conversation, type="Constraint").text == RULE
    assert FileTouch.objects.get(conversation=conversation, action="created").path == "src/a.py"


def test_many_small_steps_find_what_one_fold_finds(conversation):
    messages = talk(90)
    for start in range(0, 90, 7):
        record(conversation, messages[start : start + 7])
        fold_runner.catch_up(conversation_id=conversation.id)
    folded = fold(FoldState(), enumerate(messages, start=1))
    memory = InMemoryStore()
    memory.apply(folded.changes)
    conversation.refresh_from_db()
    stored = queries.knowledge_of(conversation)
    whole = memory.knowledge(folded.state)
    assert {(a.key, a.ref, a.importance) for a in stored.anchors} == {(a.key, a.ref, a.importance) for a in whole.anchors}
    assert set(stored.files) == set(whole.files)
    assert stored.situation == whole.situation
    assert stored.turns == whole.turns


def test_catching_up_again_changes_nothing(conversation):
    record(conversation, talk(40))
    fold_runner.catch_up(conversation_id=conversation.id)
    before = rows(conversation)
    assert fold_runner.catch_up(conversation_id=conversation.id).complete
    assert rows(conversation) == before


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_count_each_message_once(team):
    conversation = conversations.create(team=team)
    messages = talk(1200)
    record(conversation, messages)
    failures: list[Exception] = []

    def work() -> None:
        try:
            fold_runner.catch_up(conversation_id=conversation.id)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    twin = conversations.create(team=team)
    record(twin, messages)
    fold_runner.catch_up(conversation_id=twin.id)
    assert rows(conversation) == rows(twin)


def test_a_rewound_stretch_leaves_no_trace(team):
    """The same messages without the stretch give the same knowledge: across a checkpoint, with repeated and superseded words."""
    kept, stretch = [said(RULE), *talk(EPOCH + 40)], [said(RULE), said("Use a limit of 99 for importer 3."), *write("src/gone.py", "gone")]
    conversation = conversations.create(team=team)
    record(conversation, [*kept, *stretch])
    fold_runner.catch_up(conversation_id=conversation.id)
    assert FileTouch.objects.filter(conversation=conversation, path="src/gone.py").exists()
    gone = [message.external_id for message in stretch]
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("Go on.")], abandoned=gone)
    fold_runner.catch_up(conversation_id=conversation.id)

    twin = conversations.create(team=team)
    record(twin, kept)
    fold_runner.catch_up(conversation_id=twin.id)
    ours, theirs = rows(conversation), rows(twin)
    assert ours[2] == theirs[2]
    assert [row[:3] for row in ours[0]] == [row[:3] for row in theirs[0]]
    assert {anchor[5] for anchor in ours[0] if anchor[1] == "current"} == {anchor[5] for anchor in theirs[0] if anchor[1] == "current"}
    conversation.refresh_from_db()
    assert conversation.folded_seq == conversation.last_seq
    assert conversation.refold_from is None


def test_what_is_rewound_while_a_step_has_read_it_leaves_no_trace(team, monkeypatch):
    between = message_store.between

    def overtaken(conversation_id, after, through):
        """Somebody rewinds the rule once its message was read."""
        read = between(conversation_id, after, through)
        conversations.append(team=team, conversation_id=conversation.id, messages=[], abandoned=[rule.external_id])
        return read

    rule = said(RULE)
    conversation = conversations.create(team=team)
    record(conversation, [said("Please look at importer 3."), rule])
    with monkeypatch.context() as patch:
        patch.setattr(message_store, "between", overtaken)
        fold_runner.catch_up(conversation_id=conversation.id, steps=1)
    fold_runner.catch_up(conversation_id=conversation.id)
    assert not Anchor.objects.filter(conversation=conversation, text=RULE).exists()
    conversation.refresh_from_db()
    assert conversation.folded_seq == conversation.last_seq


def test_what_a_person_edited_or_pinned_survives_a_refold(conversation, owner):
    record(conversation, [said(RULE), said("Always write a migration.")])
    fold_runner.catch_up(conversation_id=conversation.id)
    rule, migration = Anchor.objects.filter(conversation=conversation).order_by("source_seq")
    Anchor.objects.filter(id=rule.id).update(text="Never change any public API.", edited_by=owner, edited_at=rule.created_at)
    Anchor.objects.filter(id=migration.id).update(pinned=True)
    fold_runner.rewind(conversation=conversation, to=1)
    fold_runner.catch_up(conversation_id=conversation.id)
    rule.refresh_from_db()
    assert rule.text == "Never change any public API."
    migration.refresh_from_db()
    assert migration.pinned


def test_knowledge_of_older_rules_is_folded_again(conversation):
    record(conversation, talk(30))
    fold_runner.catch_up(conversation_id=conversation.id)
    before = rows(conversation)
    stored = StoredState.objects.get(conversation=conversation)
    StoredState.objects.filter(id=stored.id).update(rules_version=0, state={**stored.state, "rules_version": 0})
    assert fold_runner.refold_outdated(limit=5) == 1
    assert rows(conversation) == before
    assert fold_runner.refold_outdated(limit=5) == 0


def test_checkpoints_stand_at_every_epoch(conversation):
    record(conversation, talk(EPOCH + 10))
    fold_runner.catch_up(conversation_id=conversation.id)
    assert list(FoldCheckpoint.objects.filter(conversation=conversation).values_list("seq", flat=True)) == [EPOCH]


def test_erased_meanwhile_is_no_error(conversation):
    record(conversation, talk(10))
    Message.objects.filter(conversation=conversation).delete()
    gone = conversation.id
    Conversation.objects.filter(id=gone).delete()
    assert fold_runner.catch_up(conversation_id=gone).complete
