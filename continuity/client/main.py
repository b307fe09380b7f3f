"""The command `continuity`: finds the command's module, and turns what goes wrong into one line and an exit code."""

from __future__ import annotations

import os
import sys
from importlib import import_module

TYPE_CHECKING = False  # `typing` takes as long to load as most hooks need in all.
if TYPE_CHECKING:
    from collections.abc import Sequence

# Each is a module of the same name in `commands`, with `arguments(parser)` and `run(options) -> exit code`.
COMMANDS = {
    "login": "Save the server's address and an API key",
    "status": "Show what is recorded and what is not sent yet",
    "doctor": "Find problems and say how to fix them",
    "push": "Record session files as they are",
    "watch": "Record session files as they grow",
    "handoff": "Prepare a checked handoff",
    "resume": "Resume a handoff",
    "export": "Export a handoff to a signed file",
    "import-package": "Import a handoff from another installation",
    "expand": "Show what a reference of a directive stands for",
    "search": "Find what was said, decided or done",
    "tasks": "List the tasks of a conversation",
    "decide": "Record a decision that must survive",
    "note": "Write a handoff note, checked against the session",
    "rate": "Rate a handoff that was resumed",
    "agent": "Run an agent and keep it alive: agent run --name NAME -- CMD",
    "install": "Install the hooks into Claude Code or Codex",
    "uninstall": "Remove the hooks",
    "mcp": "Serve a tool over MCP, on standard input and output",
    "completion": "Print the completion script of a shell",
    "hook": "Answer a hook (called by the tool, JSON on standard input)",
    "statusline": "Print Claude Code's status line (called by it, JSON on standard input)",
}
DONE, FAILED, USAGE, CHECK_FAILED, AWAY, NO_KEY, FAULT, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6, 130

ELSEWHERE = "continuity: the client runs on Linux and macOS, on Windows in WSL; here it records nothing.\n"
HOOK = (
    "usage: continuity hook < JSON\n\nAnswers a hook of Claude Code or Codex, which call it themselves: `continuity install` puts it in.\n"
)


def main(argv: Sequence[str]) -> int:
    """Exit codes: 0 done, 1 refused or not found, 2 wrong usage, 3 a handoff's check failed, 4 the server is away, 5 no key
    or one that the server does not know, 6 the server failed."""
    name, rest = (argv[0], list(argv[1:])) if argv else ("help", [])
    if os.name != "posix":
        sys.stderr.write(ELSEWHERE)
        return DONE if name in ("hook", "statusline") else USAGE  # Neither ever fails its tool.
    if name == "hook" and (rest or sys.stdin.isatty()):
        sys.stdout.write(HOOK)
        return DONE if rest in (["-h"], ["--help"]) else USAGE
    if name == "hook":
        # Nothing else is imported: this runs at every step of an agent.
        return int(import_module("continuity.client.hooks.dispatch").main())
    if name == "statusline" and not {"-h", "--help"} & set(rest):
        return int(import_module("continuity.client.hooks.window").main(rest))
    if name in ("help", "-h", "--help"):
        _help()
        return DONE
    if name not in COMMANDS:
        sys.stderr.write(f'continuity: there is no command "{name}"; `continuity help` lists them\n')
        return USAGE
    return int(import_module("continuity.client.running").run(name, rest))


def _help() -> None:
    width = max(map(len, COMMANDS))
    lines = [f"  {name.ljust(width)}  {summary}" for name, summary in COMMANDS.items()]
    sys.stdout.write("usage: continuity COMMAND …\n\n" + "\n".join(lines) + "\n\nRun `continuity COMMAND --help` for details.\n")


def abandon_output() -> None:
    """After the reader of a pipe went away, so that Python's own last flush has somewhere to go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
