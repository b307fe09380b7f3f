"""Claude Code and Codex under `continuity agent run --name`, against a model server on loopback: killed in the middle of a turn.

They run where `CONTINUITY_CLAUDE` and `CONTINUITY_CODEX` name them, such as `node_modules/.bin/codex` of `npm install @openai/codex`.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.runner.conftest import Runners
from tests.client.runner.test_real_server import Site, site
from tests.platform.running import PROJECT, eventually
from tests.tools.model import SAID, Model, running

__all__ = ["site"]

CLAUDE, CODEX = os.environ.get("CONTINUITY_CLAUDE", ""), os.environ.get("CONTINUITY_CODEX", "")
SESSION = "7c0d9c52-6a3e-4c4e-9a51-6f1f3f0c9b11"
RULE = "Never publish a tide table in feet, always in metres."
ASKED = f"Please build the tide page. {RULE}"
QUIET = {
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "ANTHROPIC_API_KEY": "sk-ant-none",
    "OPENAI_API_KEY": "sk-none",
}

pytestmark = pytest.mark.processes
with_claude = pytest.mark.skipif(not CLAUDE, reason="CONTINUITY_CLAUDE names no claude")
with_codex = pytest.mark.skipif(not CODEX, reason="CONTINUITY_CODEX names no codex")


@pytest.fixture
def model() -> Iterator[Model]:
    with running() as found:
        found.hangs = True
        yield found


@pytest.fixture
def runners(tmp_path: Path, site: Site, model: Model) -> Iterator[Runners]:
    """Each with a home of its own, in which the tools' hooks are put in."""
    made = Runners(tmp_path, site.url, site.key)
    tools = {name: str(Path(path).absolute().parent) for name, path in (("claude", CLAUDE), ("codex", CODEX)) if path}
    path = ":".join([*tools.values(), os.environ["PATH"]])
    codex = tmp_path / ".codex"
    codex.mkdir()
    made.env |= {**QUIET, "PATH": path, "HOME": str(tmp_path), "CODEX_HOME": str(codex), "ANTHROPIC_BASE_URL": model.url}
    yield made
    made.end()


def install(runners: Runners, tool: str) -> None:
    words = [sys.executable, "-m", "continuity.client", "install", tool, "--yes"]
    done = subprocess.run(words, cwd=PROJECT, env=runners.env, text=True, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def last_words(model: Model) -> str:
    """All that the model was given with its last question."""
    asked = [each for each in model.asked if each.get("messages") or each.get("input")]
    return json.dumps(asked[-1], ensure_ascii=False)


def is_killed_in_the_middle(runners: Runners, runner: subprocess.Popen[str], model: Model) -> None:
    assert model.in_the_middle.wait(60), "nothing was asked of the model"
    model.hangs = False
    os.kill(runners.child_of(runner), signal.SIGKILL)


@with_claude
def test_it_works(site: Site, runners: Runners, model: Model) -> None:
    again = shlex.join([CLAUDE, "-p", "--resume", SESSION, "Go on."])
    runner = runners.start("coder", CLAUDE, "-p", "--session-id", SESSION, ASKED, options=("--again", again))
    assert eventually(lambda: any(RULE in path.read_text() for path in runners.home.glob(f".claude/projects/*/{SESSION}.jsonl")))
    is_killed_in_the_middle(runners, runner, model)
    assert runner.wait(90) == 0, runners.told("coder")
    words = last_words(model)
    assert "Go on." in words
    assert RULE in words, "the session that was killed is gone on with"
    recoveries = site.calls.call("GET", "/agents/coder/recoveries")["items"]
    assert [(each["cause"], each["action"], each["status"]) for each in recoveries] == [("killed", "restart", "succeeded")]
    assert site.is_in("coder", "stopped")


@with_claude
def test_another_claude_code_goes_on_from_a_briefing(site: Site, runners: Runners, model: Model) -> None:
    """Its hooks record it; who takes over is told what was asked of it."""
    install(runners, "claude-code")
    file = runners.home / "agents.yaml"
    file.write_text("agents:\n  - name: writer\n    strategy: replace\n    backup: heir\n")
    waiting = "import sys, time; time.sleep(3600)"
    heir = (
        "sh",
        "-c",
        f'if [ -n "$1" ]; then exec "$0" -p "Take over. $1"; else exec {shlex.join([sys.executable, "-c", waiting])}; fi',
        CLAUDE,
    )
    runners.start("heir", *heir, "{directive}")
    assert site.is_in("heir", "ready"), runners.told("heir")
    runner = runners.start("writer", CLAUDE, "-p", ASKED, options=("--config", str(file)))
    assert model.in_the_middle.wait(60), runners.told("writer")
    assert eventually(lambda: bool(site.agent("writer")["conversation_id"])), runners.told("writer")
    model.hangs = False
    os.kill(runners.child_of(runner), signal.SIGKILL)
    assert site.is_in("writer", "stopped"), runners.told("writer")
    assert eventually(lambda: RULE in last_words(model) and "Take over. " in last_words(model)), runners.told("heir")
    [recovery] = site.calls.call("GET", "/agents/writer/recoveries")["items"]
    receipt = site.calls.call("GET", f"/handoffs/{recovery['handoff_id']}")
    assert receipt["status"] == "resumed"


@with_codex
def test_codex_goes_on_with_its_session(site: Site, runners: Runners, model: Model) -> None:
    provider = f'model_providers.own={{name="own", base_url="{model.url}/v1", env_key="OPENAI_API_KEY", wire_api="responses"}}'
    given = [CODEX, "exec", "--skip-git-repo-check", "-c", "model_provider=own", "-c", provider]
    again = shlex.join([*given, "resume", "--last", "Go on."])
    runner = runners.start("tester", *given, ASKED, options=("--again", again))
    is_killed_in_the_middle(runners, runner, model)
    assert runner.wait(90) == 0, runners.told("coder")
    words = last_words(model)
    assert "Go on." in words
    assert RULE in words
    assert SAID in runners.told("tester") or site.is_in("tester", "stopped")
