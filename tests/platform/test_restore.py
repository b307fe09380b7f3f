"""A conversation and an agent's state come back whole after everything was stopped and started again, and after Postgres was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

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
restored = restoring.restore(team=team, conversation_id=made.id)
print("SAW", made.id, restored.digest, restored.knowledge_digest, kept.digest)
"""
READ = """
from continuity.models import Conversation
from continuity.services import agent_state
from continuity.services.recording import restoring
made = Conversation.objects.get(title="restart")
restored = restoring.restore(team=made.team, conversation_id=made.id)
assert len(restored.messages) == 600
kept = agent_state.load(team=made.team, agent="billing")
assert kept.digest == agent_state.digest_of(kept.state)
print("SAW", made.id, restored.digest, restored.knowledge_digest, kept.digest)
"""


def manage(*arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=PROJECT, env=env, text=True, capture_output=True, timeout=120, check=False)


def _run(application: Application, code: str) -> subprocess.CompletedProcess[str]:
    """A command, run beside the application."""
    return manage("shell", "-c", code, env=application.env)


def shell(application: Application, code: str) -> str:
    """What a command, run beside the application, printed."""
    done = _run(application, code)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.long  # that after kill -9 is its sibling
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


def test_after_kill_9_of_everything_a_back_up_restores_the_same_elsewhere(application: Application, tmp_path: Path) -> None:
    """The back-up is made of what the killed servers left, and restored into the folder of another host."""
    tmp_path.chmod(0o755)
    record, read = (code.replace("restart", "killed") for code in (RECORD, READ))
    before = shell(application, record)
    assert application.supervisor is not None
    for pid in [application.supervisor.pid, *(who.pid for who in application.left_running())]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    application.supervisor.wait(60)
    file, elsewhere = tmp_path / "killed.backup", {**application.env, "CONTINUITY_DATA_DIR": str(tmp_path / "elsewhere")}
    for command, env in ((["backup", file], application.env), (["restore", file], elsewhere)):
        done = manage(*map(str, command), env=env)
        assert done.returncode == 0, done.stderr[-3000:]
    assert manage("shell", "-c", read, env=elsewhere).stdout == before
