"""continuity agent run: owns an agent's process. Without a name it records the session and starts the next one from the directive; with a
name the agent is registered, watched, and started anew with its state when it dies (docs/agents.md)."""

from __future__ import annotations

import argparse
import shlex
import signal
import subprocess
import time
from pathlib import Path

from continuity.client import credentials, terminal
from continuity.client.client import Client
from continuity.client.connection import Away, Refused
from continuity.client.main import FAILED, USAGE
from continuity.client.recording import finding
from continuity.client.recording.sending import Sender
from continuity.client.recording.spool import Spool
from continuity.client.recording.watching import Watcher
from continuity.client.runner.keeper import PLACE, Keeper
from continuity.client.runner.machine import AlreadyRun

LOOK_SECONDS = 0.5
RECENT_HOURS = 1.0
PATIENCE_SECONDS = 10.0
LARGEST_FILE = 256 * 1024


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=["run"])
    restart = f"when a handoff is due, restart with the directive, where {PLACE} stands or at the end"
    parser.add_argument("--restart", action="store_true", help=restart)
    parser.add_argument("--starts", type=int, default=10, metavar="N", help="maximum number of starts (default: %(default)s)")
    parser.add_argument("--name", metavar="NAME", default="", help="keep this agent alive: watch it, and start it anew with its state")
    parser.add_argument("--config", type=Path, metavar="FILE", help="an agents.yaml, which the server reads")
    parser.add_argument("--strategy", choices=["restart", "replace", "alert"], help="what happens when it dies (default: restart)")
    parser.add_argument("--probe", metavar="CMD", default="", help="a command that says by exit code 0 that the agent still works")
    again = "what later starts run instead, such as 'claude --continue -p \"Go on.\"'"
    parser.add_argument("--again", metavar="CMD", default="", help=again)
    parser.add_argument("--sessions", type=Path, metavar="FOLDER", help="where the agent writes its sessions; default: the usual places")


def run(options: argparse.Namespace) -> int:
    if not options.command:
        terminal.note("say which: continuity agent run -- CMD")
        return USAGE
    if options.name:
        return _keep(options)
    if options.config or options.strategy or options.probe or options.again:
        terminal.note("--config, --strategy, --probe and --again are for an agent with a --name")
        return USAGE
    agent = AgentRun(options.command, options)
    code = agent.go()
    if options.json:
        terminal.show_json({"exit_code": code, "starts": agent.starts})
    return code


def _keep(options: argparse.Namespace) -> int:
    about: dict[str, str] = {"strategy": options.strategy} if options.strategy else {}
    if options.config:
        with options.config.open("rb") as file:
            about["file"] = file.read(LARGEST_FILE + 1).decode("utf-8", "replace")  # One byte too many, and the server says so.
    found = credentials.find()
    own = credentials.Credentials(found.url, found.key)  # It acts for no agent, also where one started it.
    try:
        again = shlex.split(options.again)
        keeper = Keeper(options.name, options.command, about, own, probe=options.probe, again=again, say=terminal.note)
        code = keeper.go()
    except (AlreadyRun, ValueError) as error:
        terminal.note(str(error))
        return FAILED
    if options.json:
        terminal.show_json({"exit_code": code, "starts": keeper.starts})
    return code


class AgentRun:
    """SIGUSR1 asks for a restart now, whatever the window holds."""

    def __init__(self, command: list[str], options: argparse.Namespace) -> None:
        self._command = command
        self._options = options
        self._client = Client(acting=False)  # It acts for no agent, also where one started it.
        self._asked = False
        self._prepared: set[str] = set()
        self.starts = 0

    def go(self) -> int:
        """The exit code of the last process, as a shell tells it: 128 and the signal's number where one ended it."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # The terminal tells the agent; it decides.
        signal.signal(signal.SIGUSR1, self._ask)
        code, directive = self._once([word for word in self._command if word != PLACE])
        for _ in range(self._options.starts - 1):
            if not directive:
                break
            terminal.note("starting the next session from the directive")
            filled = [word.replace(PLACE, directive) for word in self._command]
            code, directive = self._once(filled if filled != self._command else [*self._command, directive])
        return code if code >= 0 else 128 - code

    def _ask(self, number: int, frame: object) -> None:
        self._asked = True

    def _once(self, command: list[str]) -> tuple[int, str]:
        """Runs the agent to its end, or to where a new one shall go on; then with the directive."""
        began = time.time()

        def find() -> list[finding.FoundSession]:
            folder = self._options.sessions
            found = finding.in_places([folder]) if folder else finding.recent(RECENT_HOURS)
            return [each for each in found if _since(each.path, began)]

        watcher = Watcher(find, Sender(self._client, Spool(), terminal.note), terminal.note)
        process = subprocess.Popen(command, preexec_fn=_default_signals)
        self.starts += 1
        directive = ""
        while process.poll() is None:
            watcher.look()
            directive = self._handed_over(watcher)
            if directive:
                _end(process)
                break
            time.sleep(LOOK_SECONDS)
        watcher.run(once=True)
        return process.wait(), directive

    def _handed_over(self, watcher: Watcher) -> str:
        """The directive, where a handoff is due or asked for and a restart wanted; without, a handoff is prepared and told of."""
        recorder = watcher.latest()
        if recorder is None or not recorder.conversation or not (self._asked or recorder.decision.get("due")):
            return ""
        if not (self._asked or self._options.restart) and recorder.conversation in self._prepared:
            return ""
        self._prepared.add(recorder.conversation)
        try:
            made = self._client.prepare(recorder.conversation, trigger_reason=str(recorder.decision.get("reason", "Asked for"))[:200])
            if made["status"] != "ready" or not (self._asked or self._options.restart):
                terminal.note(f"handoff {made['id']} is {made['status']}")
                return ""
            self._asked = False
            return terminal.as_argument(self._client.resume(made["id"])["directive"])
        except (Away, Refused) as error:
            terminal.note(f"no handoff: {error}")
            self._asked = False
            return ""


def _since(path: Path, began: float) -> bool:
    try:
        return path.stat().st_mtime >= began - 1
    except OSError:
        return False


def _default_signals() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
