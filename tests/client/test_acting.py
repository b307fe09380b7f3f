"""What a process of an agent does with the client's commands: the agent's own writes are fenced with it, what is recorded never is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from continuity.client.credentials import AGENT
from tests.client.hooked import hook, occupy

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from continuity.models import Team

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def over(server: LiveServer, team: Team, tide_session: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    """This is the process of an agent, and the agent was declared dead; a session of this folder is recorded."""
    from tests.agents.runner import Runner

    assert said("push", str(tide_session))[0] == 0
    runner = Runner(team)
    runner.start("a")
    monkeypatch.setenv(AGENT, "a/1")
    assert said("decide", "Harbours are sorted from north to south.")[0] == 0
    runner.dies("a")


def test_it_works(over: None, said: Said) -> None:
    from continuity.models import Anchor
    from handoffs.models import Handoff

    for command in (["decide", "Harbours are sorted by size."], ["handoff"]):
        code, _, told = said(*command)
        assert code != 0 and "instance" in told, (command, told)
    assert Anchor.objects.filter(method="by hand").count() == 1
    assert not Handoff.objects.exists()


def test_what_it_said_is_still_recorded(over: None, said: Said, tide_session: Path) -> None:
    from continuity.models import Message

    before = Message.objects.count()
    other = tide_session.with_name("s2.jsonl")
    other.write_bytes(tide_session.read_bytes().replace(b"s1", b"s2"))
    assert said("push", str(other))[0] == 0
    assert Message.objects.count() > before


def test_the_hook_before_a_compaction_records_and_prepares_nothing(over: None, tide_session: Path) -> None:
    from continuity.models import Conversation, Message
    from handoffs.models import Handoff

    before = Conversation.objects.count()
    other = tide_session.with_name("s3.jsonl")
    other.write_bytes(tide_session.read_bytes().replace(b"s1", b"s3"))
    claim = occupy()
    try:
        hook("PreCompact", other, trigger="auto", custom_instructions="")
    finally:
        claim.release()
    assert Conversation.objects.count() == before + 1
    assert Message.objects.filter(conversation__external_id="s3").exists()
    assert not Handoff.objects.exists()
