"""Real tools, a model server on loopback, and our own server; a tool is one that a variable names."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from continuity.client.client import Client
from continuity.client.setup import launching
from tests.client.conftest import client, home, said, server, tide_session
from tests.client.hooked import end_recorders
from tests.tools.model import Model, running

__all__ = ["client", "home", "said", "server", "tide_session"]

RULE = "Never publish a tide table in feet, always in metres."


@pytest.fixture(autouse=True)
def this_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tools call the client of this very source, whichever one the environment has installed."""
    monkeypatch.setattr(launching, "PROGRAM", "continuity-of-no-environment")


@pytest.fixture
def model() -> Iterator[Model]:
    with running() as found:
        yield found


@pytest.fixture
def project(home: Path) -> Iterator[Path]:
    found = home / "tides"
    found.mkdir()
    yield found
    end_recorders()


def say(program: str, *words: str, cwd: Path, seconds: float = 400) -> str:
    """What the tool answers to these words."""
    done = subprocess.run(
        [program, *words],
        text=True,
        capture_output=True,
        cwd=cwd,
        timeout=seconds,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PWD": str(cwd)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def recorded(client: Client, number: int) -> bool:
    found = client.conversations()
    return len(found) == number and all(each["message_count"] >= 2 for each in found)


def last_words(model: Model) -> str:
    """All that the model was given with its last question."""
    return json.dumps([asked for asked in model.asked if {"messages", "input", "contents"} & set(asked)][-1], ensure_ascii=False)


def fullness(path: Path) -> float:
    """What the recorder knows of a session's window."""
    return float(json.loads(path.read_text()).get("decision", {}).get("utilization") or 0)


def whole_words(client: Client, conversation: str) -> list[str]:
    return [json.dumps(message, ensure_ascii=False) for message in client.messages(conversation)]


Said = Callable[..., tuple[int, str, str]]
