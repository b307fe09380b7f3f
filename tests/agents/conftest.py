"""A team with a runner, and a monitor that looks when the test says so. Models are imported only where a fixture is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

KEYS = [f"continuity:agents:{each}" for each in ("beats", "number", "probes", "presence")]


@pytest.fixture(autouse=True)
def no_beats_of_before() -> None:
    import_module("continuity.services.jobs.broker").try_call(lambda client: client.delete(*KEYS))


@pytest.fixture
def runner(team: Any) -> Any:
    return import_module("tests.agents.runner").Runner(team)


@pytest.fixture
def conversation(team: Any) -> Any:
    return import_module("tests.handoffs.story").story(team)


@pytest.fixture
def pair(runner: Any, conversation: Any) -> Any:
    """An agent at work in a conversation, and its backup."""
    runner.start("backup", topics=["other:*"])
    runner.start("a", strategy="replace", backup="backup", topics=["task:*"], conversation_id=str(conversation.id))
    return runner


@pytest.fixture
def monitor(db: None) -> Any:
    return import_module("tests.agents.runner").Monitor()
