"""A conversation and an agent's state come back whole after everything was stopped and started again, and after Postgres was killed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.platform.running import PROJECT, Application, eventually

pytestmark = [pytest.mark.processes]

RECORD = """
from django.utils import timezone
from continuity.models import Team
from continuity.services import agent_state
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations, restoring
from diagnostics.bench import material
team = Team.objects.first()
made = conversations.create(team=team, title="restart")
conversations.append(team=team, conversation_id=made.id, messages=list(material.messages(7, 600)))
fold_runner.catch_up(conversation_id=made.id)
state = {"config": {"model": "x"}, "context": {"step": 3, "names": ["ä", None, 1.5]}, "messages": [{"role": "user", "content": "Go on."}]}
kept = agent_state.save(team=team, agent="billing", epoch=1, state=state, now=timezone.now())
print("SAW", made.id, restoring.restore(team=team, conversation_id=made.id).digest, kept.digest)
"""
READ = """
from continuity.models import Conversation
from continuity.services import agent_state
from continuity.services.recording import restoring
made = Conversation.objects.get(title="restart")
restored = restoring.restore(team=made.team, conversation_id=made.id)
assert len(restored.messages) == 600
kept = agent_state.load(team=made.team, agent="billing")
assert kept.digest == agent_state.digest(kept.state)
print("SAW", made.id, restored.digest, kept.digest)
"""


def _run(application: Application, code: str) -> subprocess.CompletedProcess[str]:
    """A command, run beside the application."""
    command = [sys.executable, "manage.py", "shell", "-c", code]
    return subprocess.run(command, cwd=PROJECT, env=application.env, text=True, capture_output=True, timeout=120, check=False)


def shell(application: Application, code: str) -> str:
    """What a command, run beside the application, printed."""
    done = _run(application, code)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_it_works(application: Application) -> None:
    before = shell(application, RECORD)
    application.stop()
    application.start()
    assert eventually(application.answers), application.output()
    assert shell(application, READ) == before
    killed = application.kill("postgres")
    assert application.replaced("postgres", killed), application.output()
    # Postgres recovers while web answers already: what a command reads then is what was acknowledged.
    assert eventually(lambda: _run(application, READ).stdout == before), application.output()
