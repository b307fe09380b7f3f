"""How a conversation's window is learned, kept and corrected."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from continuity.core.errors import Invalid
from continuity.models import Conversation, Team
from continuity.services.recording import conversations, sessions, windows
from continuity.transcripts.base.model import Message, Role, Usage
from continuity.windows import ContextWindow, Evidence, WindowSource
from tests.factories import ConversationFactory
from tests.words import said


def answer(number: int, used: int, model: str = "claude-sonnet-4-5", agent: str = "") -> Message:
    return Message(
        role=Role.ASSISTANT,
        parts=said("Done.").parts,
        external_id=f"a{number}",
        model=model,
        agent=agent,
        usage=Usage(input=used),
        usage_id=f"u{number}",
    )


def append(conversation: Conversation, *messages: Message, **more: Any) -> Conversation:
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages, **more)
    return read(conversation)


def read(conversation: Conversation) -> Conversation:
    return conversations.get(team=conversation.team, conversation_id=conversation.id)


def of(conversation: Conversation) -> tuple[int | None, str]:
    return conversation.max_context_tokens, conversation.window_source


def test_it_works(team: Team) -> None:
    """A session whose model has a million is not full at 170,000."""
    conversation = append(conversations.create(team=team), answer(1, 170_000, "claude-opus-4-8"))
    assert of(conversation) == (1_000_000, WindowSource.MODEL)
    assert conversation.utilization == pytest.approx(0.17)


def test_unknown_is_unknown_until_something_tells(team: Team) -> None:
    conversation = append(conversations.create(team=team), answer(1, 170_000, "ours"))
    assert (of(conversation), conversation.utilization) == ((None, ""), None)
    conversation = append(conversation, window=ContextWindow(256_000, WindowSource.TRANSCRIPT))
    assert of(conversation) == (256_000, WindowSource.TRANSCRIPT)
    version = conversation.version
    assert append(conversation, window=ContextWindow(256_000, WindowSource.TRANSCRIPT)).version == version, "nothing new was told"


def test_usage_above_a_models_window_corrects_it_for_good(team: Team) -> None:
    conversation = append(conversations.create(team=team), answer(1, 190_000), answer(2, 300_000))
    assert of(conversation) == (1_000_000, WindowSource.USAGE)
    assert of(append(conversation, answer(3, 30_000))) == (1_000_000, WindowSource.USAGE)


def test_what_a_sub_agent_uses_says_nothing_of_the_session(team: Team) -> None:
    conversation = append(conversations.create(team=team), answer(1, 10_000), answer(2, 300_000, "claude-haiku-4-5", agent="scout"))
    assert of(conversation) == (200_000, WindowSource.MODEL)


def test_a_setting_goes_before_everything_and_can_be_taken_back(team: Team) -> None:
    conversation = append(conversations.create(team=team), answer(1, 1_000), window=ContextWindow(1_000_000, WindowSource.STATUSLINE))
    conversation = conversations.change(team=team, conversation_id=conversation.id, changes={"max_context_tokens": 50_000})
    assert of(conversation) == (50_000, WindowSource.SETTING)
    assert of(append(conversation, answer(2, 2_000))) == (50_000, WindowSource.SETTING)
    conversation = conversations.change(team=team, conversation_id=conversation.id, changes={"max_context_tokens": None})
    assert of(conversation) == (1_000_000, WindowSource.STATUSLINE)


def test_another_model_has_another_window(team: Team) -> None:
    conversation = conversations.create(team=team, model="claude-opus-4-8")
    conversation = conversations.change(team=team, conversation_id=conversation.id, changes={"model": "claude-haiku-4-5"})
    assert of(conversation) == (200_000, WindowSource.MODEL)


def test_a_team_sets_windows_by_model_and_what_goes_on_follows(team: Team, outsider: Any) -> None:
    ours = conversations.create(team=team, model="ours-7b")
    other = conversations.create(team=team, model="claude-opus-4-8")
    ended = ConversationFactory.create(team=team, model="ours-7b", status="expired")
    changed = windows.set_for_team(team=team, windows={"ours-": 32_768})
    assert of(read(ours)) == (32_768, WindowSource.TEAM)
    assert of(read(other)) == (1_000_000, WindowSource.MODEL)
    assert of(read(ended)) == (None, "")
    assert of(conversations.create(team=changed, model="ours-70b")) == (32_768, WindowSource.TEAM)
    windows.set_for_team(team=team, windows={})
    assert of(read(ours)) == (None, "")


def test_what_is_learned_while_a_team_sets_its_windows_stays(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation = conversations.create(team=team, model="ours-7b")
    put = windows.put

    def learn_first(read: Conversation, evidence: Evidence) -> None:
        monkeypatch.undo()
        conversations.change(team=team, conversation_id=conversation.id, changes={"max_context_tokens": 50_000})
        put(read, evidence)

    monkeypatch.setattr(windows, "put", learn_first)
    windows.set_for_team(team=team, windows={"ours-": 32_768})
    assert of(read(conversation)) == (50_000, WindowSource.SETTING)


@pytest.mark.parametrize("wrong", [{"": 1}, {"x" * 121: 1}, {"x": 0}, {"x": 10**9}, {f"m{n}": 1 for n in range(101)}])
def test_a_wrong_setting_is_refused(team: Team, wrong: dict[str, int]) -> None:
    with pytest.raises(Invalid) as refused:
        windows.set_for_team(team=team, windows=wrong)
    assert refused.value.data["field"] == "windows"
    with pytest.raises(Invalid):
        conversations.create(team=team, max_context_tokens=10, window_source="usage")


def test_the_next_session_knows_what_the_last_one_did_in_the_same_tool_with_the_same_model(team: Team) -> None:
    old = append(conversations.create(team=team, source_tool="claude-code", model="claude-sonnet-4-5"), answer(1, 300_000))
    same = windows.of_heir(old, source_tool="claude-code", model="claude-sonnet-4-5")
    assert of(conversations.create(team=team, model=old.model, evidence=same)) == (1_000_000, WindowSource.USAGE)
    other = windows.of_heir(old, source_tool="codex", model="gpt-5")
    assert of(conversations.create(team=team, model="gpt-5", evidence=other)) == (400_000, WindowSource.MODEL)


def test_a_session_that_takes_its_place_tells_its_window(team: Team) -> None:
    waiting = conversations.create(team=team, source_tool="claude-code", model="claude-opus-4-8")
    about = {
        "source_tool": "codex",
        "external_id": "s1",
        "model": "gpt-5-codex",
        "max_context_tokens": 258_400,
        "window_source": "transcript",
    }
    taken = sessions.take(waiting=Conversation.objects.filter(id=waiting.id), owner=None, about=about)
    assert taken is not None
    assert of(taken) == (258_400, WindowSource.TRANSCRIPT)


def test_what_was_taken_for_200k_is_looked_up_anew_when_the_site_is_upgraded(team: Team) -> None:
    rows = {
        "opus": ConversationFactory.create(team=team, max_context_tokens=200_000, model="claude-opus-4-6"),
        "large": ConversationFactory.create(team=team, max_context_tokens=200_000, model="claude-sonnet-4-5", context_tokens=300_000),
        "small": ConversationFactory.create(team=team, max_context_tokens=200_000, model="claude-sonnet-4-5", context_tokens=1_000),
        "unknown": ConversationFactory.create(team=team, max_context_tokens=200_000, model="ours"),
        "codex": ConversationFactory.create(team=team, max_context_tokens=258_400, model="gpt-5", source_tool="codex"),
        "set": ConversationFactory.create(team=team, max_context_tokens=1_000),
    }
    with connection.schema_editor() as editor:
        import_module("continuity.migrations.0029_context_windows").learn(apps, editor)
    assert {name: of(read(row)) for name, row in rows.items()} == {
        "opus": (1_000_000, "model"),
        "large": (1_000_000, "usage"),
        "small": (200_000, "model"),
        "unknown": (None, ""),
        "codex": (258_400, "transcript"),
        "set": (1_000, "setting"),
    }
