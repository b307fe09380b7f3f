"""The state of agents: whose it is, what is masked in it, what is refused and what is erased."""

import json
import logging
import threading
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from continuity.core.errors import Conflict, Fenced, Invalid, NotFound, TooLarge, Unavailable
from continuity.models import Conversation, StoredState
from continuity.services import agent_state
from continuity.services.recording import conversations
from continuity.storage import registry
from continuity.storage.sessions import StoredSession
from handoffs.services.erasure import erasing
from tests.handoffs.story import RULE, story
from tests.life.everywhere import tables_holding
from tests.storage.test_packing import random_text

MB = 1024 * 1024
STATE = {"config": {"model": "x"}, "context": {"step": 3}, "messages": [{"role": "user", "content": "Go on."}]}
WORDS = "The customer is Wilhelmina Achterberg of Zutphen."


@pytest.fixture(params=["postgres", "file", "redis", "memory"])
def anywhere(request, settings, tmp_path, db):
    """Each storage in turn, empty."""
    settings.STORAGE_TYPE, settings.CONTINUITY_DATA_DIR = request.param, tmp_path
    registry._made.cache_clear()
    yield request.param
    for name in registry.storage().list_sessions():
        registry.storage().delete_session(name)
    registry._made.cache_clear()


def save(team, state=STATE, *, agent="billing", epoch=1, **more):
    return agent_state.save(team=team, agent=agent, epoch=epoch, state=state, now=timezone.now(), **more)


def stored(team, agent="billing"):
    found = agent_state.load(team=team, agent=agent)
    assert found is not None
    return found


def begin(team, epoch, agent="billing"):
    return agent_state.begin(team=team, agent=agent, epoch=epoch, now=timezone.now())


def test_it_works(anywhere, team):
    saved = save(team)
    assert (saved.messages, saved.trimmed, saved.masked) == (1, False, 0)
    loaded = stored(team)
    assert (loaded.state, loaded.digest, loaded.epoch) == (STATE, saved.digest, 1)
    assert saved.digest == agent_state.digest_of(STATE)
    assert agent_state.remove(team=team, agent="billing")
    assert agent_state.load(team=team, agent="billing") is None


def test_a_later_instance_shuts_out_the_one_before(anywhere, team):
    saved = save(team, epoch=1)
    assert begin(team, 2).digest == saved.digest
    with pytest.raises(Fenced) as refused:
        save(team, {"context": {"late": True}}, epoch=1)
    assert refused.value.data == {"current": 2, "given": 1}
    with pytest.raises(Fenced):
        begin(team, 1)
    assert stored(team).state == STATE
    assert begin(team, 3, "new") is None


def test_no_team_sees_the_state_of_another(anywhere, team, other_team):
    save(team)
    assert agent_state.load(team=other_team, agent="billing") is None
    assert begin(other_team, 9) is None
    save(team, epoch=1)


@pytest.mark.parametrize("agent", ["../billing", "a/b", "", "a\0", "a" * 120, "ä"])
def test_names_with_path_characters_are_refused(anywhere, team, agent):
    with pytest.raises(Invalid):
        save(team, agent=agent)
    assert registry.storage().get_stats().item_count == 0


@pytest.mark.parametrize("state", [None, [], {"other": 1}, {"config": 1}, {"messages": [1]}])
def test_wrong_types_are_refused_and_nothing_is_written(anywhere, team, state):
    with pytest.raises(Invalid):
        save(team, state)
    assert registry.storage().get_stats().item_count == 0


def test_50_mb_are_refused_and_nothing_is_written(anywhere, team, caplog):
    size = (50 if anywhere == "postgres" else 12) * MB
    with pytest.raises(TooLarge), caplog.at_level(logging.ERROR):
        save(team, {"context": {"x": "a " * (size // 2)}})
    assert registry.storage().get_stats().item_count == 0
    assert [record.levelname for record in caplog.records if record.name == "continuity.agent_state"] == ["ERROR"]


def test_a_conversation_of_another_team_is_refused(anywhere, team, other_team):
    theirs = conversations.create(team=other_team, title="Theirs")
    for foreign in (theirs.id, uuid4()):
        with pytest.raises(NotFound):
            save(team, conversation_id=foreign)
    assert registry.storage().get_stats().item_count == 0


def test_state_trimming_when_exceeding_10mb_limit(team, caplog):
    """The specification's: 12 MB (5 MB of config and 7 MB of messages), trimmed below 10 MB, told with its size, and restored."""
    messages = [{"role": "user" if number % 2 == 0 else "assistant", "content": random_text(7 * MB // 12, number)} for number in range(12)]
    config = {"prompt": random_text(5 * MB)}
    with caplog.at_level(logging.WARNING):
        saved = save(team, {"config": config, "messages": messages})
    assert saved.size < 10 * MB
    assert f"trimmed to {saved.size} bytes" in caplog.text.replace(",", "")
    assert stored(team).state == {"config": config, "messages": messages[-8:]}


def test_trimming_is_a_warning_that_tells_the_size(team, settings, caplog):
    settings.AGENT_STATE_MAX_SIZE_BYTES = 1000
    with caplog.at_level(logging.WARNING):
        saved = save(team, {"context": {"cache": {"trimmable": True, "x": "y" * 2000}}})
    assert saved.dropped_fields == ("context.cache",)
    assert "trimmed to 14 bytes" in caplog.text
    assert saved.trimmed


def test_secrets_are_masked_before_anything_is_stored(anywhere, team):
    secret = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    saved = save(team, {"context": {"token": f"It is {secret}."}})
    loaded = stored(team)
    assert saved.masked == 1
    assert secret not in json.dumps(loaded.state)
    assert loaded.digest == saved.digest


def test_what_steers_a_terminal_is_not_kept(team):
    save(team, {"context": {"x": "a\x1b[31mb\x00", "deep": json.loads("[" * 500 + "]" * 500)}})
    state = stored(team).state
    assert state["context"]["x"] == "ab\ufffd"


def test_a_damaged_state_is_told_and_never_taken_for_none(team):
    save(team)
    StoredState.objects.update(body=b"{", encoding="gzip")
    with pytest.raises(Conflict, match="can't be read"):
        agent_state.load(team=team, agent="billing")
    with pytest.raises(Conflict):
        begin(team, 2)
    save(team, epoch=2)
    assert begin(team, 2).state == STATE


def test_a_storage_that_is_away_is_told(team, settings):
    settings.STORAGE_TYPE, settings.REDIS_URL = "redis", "redis://127.0.0.1:9/0"
    registry._made.cache_clear()
    try:
        with pytest.raises(Unavailable):
            save(team)
    finally:
        registry._made.cache_clear()


def test_restoring_100_turns_and_500_kb_gives_the_same_hash(anywhere, team, settings):
    settings.AGENT_STATE_MESSAGE_HISTORY = 100
    messages = [{"role": role, "content": random_text(2500, number)} for number in range(100) for role in ("user", "assistant")]
    saved = save(team, {"messages": messages})
    assert saved.size > 500_000
    assert stored(team).digest == saved.digest == agent_state.digest_of({"messages": messages})


def test_erasing_a_conversation_removes_what_was_saved_in_it(anywhere, team, owner):
    conversation = story(team)
    save(team, conversation_id=conversation.id)
    save(team, {"context": {"heard": RULE}}, agent="repeats")
    save(team, {"context": {"own": "Nothing of that."}}, agent="other")
    erasure = erasing.erase_conversation(team=team, conversation_id=conversation.id, by=erasing.By(owner.email, owner))
    assert [name.partition(".")[2] for name in registry.storage().list_sessions(prefix=f"{team.id}.")] == ["other"]
    assert erasure.removed["storedstate"] == 2


@pytest.mark.django_db(transaction=True)
def test_who_saves_while_its_conversation_is_erased_stores_nothing(anywhere, team):
    conversation = story(team)
    told = []

    def save_late():
        try:
            save(team, conversation_id=conversation.id)
        except NotFound as error:
            told.append(error.data)
        finally:
            connection.close()

    with transaction.atomic():
        erased = Conversation.objects.select_for_update().get(id=conversation.id)
        late = threading.Thread(target=save_late)
        late.start()
        late.join(1)
        assert registry.storage().list_sessions() == []
        erased.delete()
    late.join(20)
    assert told == [{"noun": "conversation"}]
    assert registry.storage().list_sessions() == []


def test_redacted_words_are_nowhere_in_states(anywhere, team, owner):
    conversation = story(team)
    text = random_text(150_000)
    save(team, {"context": {"note": WORDS, "more": text}}, conversation_id=conversation.id)
    kept = save(team, agent="other")
    erasure = erasing.erase_words(team=team, conversation_id=conversation.id, words=WORDS, by=erasing.By(owner.email, owner))
    state = stored(team).state
    assert state["context"] == {"note": "█" * len(WORDS), "more": text}
    assert stored(team, "other").digest == kept.digest
    assert erasure.removed["storedstate"] == 1
    assert tables_holding(WORDS) == set()


def test_what_cant_be_read_is_removed_by_erasing(anywhere, team, owner):
    conversation = story(team)
    save(team)
    registry.storage().save_session(StoredSession(id=f"{team.id}.billing", body=b"{", epoch=1, team=team.id))
    erasing.erase_words(team=team, conversation_id=conversation.id, words=WORDS, by=erasing.By(owner.email, owner))
    assert agent_state.load(team=team, agent="billing") is None
