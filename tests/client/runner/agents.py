"""Programs that a runner keeps: `python -m tests.client.runner.agents KIND NAME`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from continuity.client.agents import Agent
from continuity.client.light import live_sessions
from continuity.client.recording import positions


def tool(name: str) -> None:
    """No library: counts its starts in its state file, and waits."""
    path = Path(os.environ["CONTINUITY_AGENT_STATE"])
    state = json.loads(path.read_text()) if path.exists() else {"context": {"starts": 0}}
    state["context"]["starts"] += 1
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(state))
    fresh.replace(path)
    time.sleep(3600)


def family(name: str) -> None:
    """Starts another process, which would outlive it, and says which."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
    Path(os.environ["FAMILY"]).write_text(str(child.pid))
    time.sleep(3600)


def library(name: str) -> None:
    """Counts events in its state, and writes the count down, and when it handled each."""
    agent = Agent(name, expertise=["counting"])

    @agent.on("task:*")
    def handle(event: object) -> None:
        seen = agent.state("seen")
        seen["count"] = seen.get("count", 0) + 1
        with Path(os.environ["COUNTED"]).open("a") as file:
            file.write(f"{seen['count']}\n")
        with Path(os.environ["COUNTED"]).with_name("handled").open("a") as file:
            file.write(f"{time.time()}\n")

    agent.run()


def late(name: str) -> None:
    """As `library`, after three seconds of work, as an import may take, in a process that its own process waits for."""
    busy = "import time\nend = time.monotonic() + 3\nwhile time.monotonic() < end: pass\n"
    work = f"{busy}from tests.client.runner import agents\nagents.library({name!r})"
    subprocess.run([sys.executable, "-c", work], check=False, close_fds=False)


def counter(name: str) -> None:
    """Counts its starts in its state, and writes each down."""
    with Agent(name) as agent:
        seen = agent.state("seen")
        seen["starts"] = seen.get("starts", 0) + 1
        agent.save()
        with Path(os.environ["COUNTED"]).with_name(f"{name}.starts").open("a") as file:
            file.write(f"{seen['starts']}\n")
        while not agent.stopped:
            time.sleep(0.1)


def hooked(name: str) -> None:
    """A tool with our hooks, and a recorder that knows its conversation."""
    session = Path(os.environ["COUNTED"]).with_name("session.jsonl")
    positions.save(positions.FilePosition(str(session), conversation="c1"))
    live_sessions.name(str(session.parent), str(session), ended=False)
    time.sleep(3600)


def calling(name: str) -> None:
    """A tool within a call that lasts: its session ends with it, and was written ten minutes ago."""
    session = Path(os.environ["COUNTED"]).with_name("session.jsonl")
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}}
    session.write_text(json.dumps({"message": {"role": "assistant", "content": [call]}}) + "\n")
    os.utime(session, (time.time() - 600, time.time() - 600))
    live_sessions.name(str(session.parent), str(session), ended=False)
    session.with_name("called").touch()
    time.sleep(3600)


def noted(name: str) -> None:
    Path(os.environ["COUNTED"]).with_name(name).touch()


def doubted(name: str) -> None:
    """Says in its code that a person is to be told, and answers probes while a file is there."""
    agent = Agent(name, strategy="alert")
    agent.probe(Path(os.environ["COUNTED"]).with_name("works").exists)
    agent.run()


def talker(name: str) -> None:
    """Works in a conversation."""
    with Agent(name) as agent:
        agent.hear("Please write the invoices of November, one for each customer. Never send an invoice twice.")
        agent.say("The invoices for Miller and Smith are written. Next is Jones.")
        while not agent.stopped:
            time.sleep(0.1)


def heir(name: str) -> None:
    """Writes down the briefing that it is given."""
    agent = Agent(name)

    @agent.resumed
    def take_over(briefing: str, order: Mapping[str, Any]) -> None:
        fresh = Path(os.environ["BRIEFING"]).with_suffix(".new")
        fresh.write_text(f"from {order['from_agent']}\n{briefing}")
        fresh.replace(os.environ["BRIEFING"])

    agent.run()


if __name__ == "__main__":
    {
        "tool": tool,
        "family": family,
        "library": library,
        "late": late,
        "counter": counter,
        "hooked": hooked,
        "calling": calling,
        "noted": noted,
        "doubted": doubted,
        "talker": talker,
        "heir": heir,
    }[sys.argv[1]](sys.argv[2])
