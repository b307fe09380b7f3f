"""The command `continuity`: finds the command's module, and turns what goes wrong into one line and an exit code."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from continuity import VERSION

TYPE_CHECKING = False  # `typing` takes as long to load as most hooks need in all.
if TYPE_CHECKING:
    from collections.abc import Sequence

# By the folder of `commands`; each command is a module there of its name, with `arguments(parser)` and `run(options) -> exit code`.
GROUPS = {
    "access": {
        "setup": "Log in, put the command into your PATH and the hooks into your tools",
        "login": "Save the server's address and an API key",
        "logout": "Forget the key that login saved",
        "status": "Show what is recorded and what is not sent yet",
        "doctor": "Find problems and say how to fix them",
        "completion": "Print the completion script of a shell",
    },
    "sessions": {
        "push": "Record session files as they are",
        "watch": "Record session files as they grow",
        "sessions": "List the sessions of this folder",
        "open": "Open a session or handoff in the browser",
        "pause": "Record nothing for a while",
        "forget": "Forget one session, here and on the server",
        "search": "Find what was said, decided or done",
        "pack": "Show the files here that a request is about",
        "why": "Show which session made a commit, and why",
        "tasks": "List the tasks of a conversation",
        "decide": "Record a decision that must survive",
        "note": "Write a handoff note, checked against the session",
    },
    "handoffs": {
        "handoff": "Prepare a checked handoff",
        "resume": "Resume a handoff",
        "expand": "Show what a reference of a directive stands for",
        "rate": "Rate a handoff that was resumed",
        "export": "Export a handoff to a signed file",
        "import-package": "Import a handoff from another installation",
    },
    "tools": {
        "install": "Put Continuity into a tool: hooks, plugin, MCP server",
        "uninstall": "Take it out of a tool again",
        "start": "Start a tool that resumes a handoff: start claude|codex|gemini",
        "agent": "Run an agent and keep it alive: agent run --name NAME -- CMD",
        "mcp": "Serve a tool over MCP, on standard input and output",
        "trailer": "Name the session in a commit's message (called by git)",
        "hook": "Answer a hook (called by the tool, JSON on standard input)",
        "statusline": "Print Claude Code's status line (called by it, JSON on standard input)",
    },
}
TITLES = {"access": "Connect", "sessions": "Sessions", "handoffs": "Handoffs", "tools": "Tools"}
COMMANDS = {name: summary for commands in GROUPS.values() for name, summary in commands.items()}
DONE, FAILED, USAGE, CHECK_FAILED, AWAY, NO_KEY, FAULT, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6, 130

MORE = (
    "To begin: `continuity setup URL`, with the line that the server's page /client/ shows.\n"
    "Run `continuity COMMAND --help` for details, `continuity --version` for the version.\n"
)
ELSEWHERE = "continuity: the client runs on Linux and macOS, on Windows in WSL; here it records nothing.\n"
HOOK = (
    "usage: continuity hook [TOOL] < JSON\n\nAnswers a hook of a tool, which calls it itself: `continuity install TOOL` puts it in.\n\n"
    "examples:\n  continuity hook < event.json\n  continuity hook codex < event.json\n"
)


def main(argv: Sequence[str]) -> int:
    """Exit codes: 0 done, 1 refused or not found, 2 wrong usage, 3 a handoff's check failed, 4 the server is away, 5 no key
    or one that the server does not know, 6 the server failed."""
    name, rest = (argv[0], list(argv[1:])) if argv else ("help", [])
    if os.name != "posix":
        sys.stderr.write(ELSEWHERE)
        return DONE if name in ("hook", "statusline") else USAGE  # Neither ever fails its tool.
    if name == "hook":
        # Nothing else is imported: this runs at every step of an agent.
        if (rest and (len(rest) > 1 or rest[0] not in import_module("continuity.client.hooks.tools").NAMED)) or sys.stdin.isatty():
            sys.stdout.write(HOOK)
            return DONE if rest in (["-h"], ["--help"]) else USAGE
        return int(import_module("continuity.client.hooks.dispatch").main(*rest))
    if name == "statusline" and not {"-h", "--help"} & set(rest):
        return int(import_module("continuity.client.hooks.window").main(rest))
    if name in ("help", "-h", "--help"):
        _help()
        return DONE
    if name in ("--version", "-V"):
        sys.stdout.write(f"continuity {VERSION} (Python {sys.version.split()[0]}, {__file__.removesuffix('/main.py')})\n")
        return DONE
    if name not in COMMANDS:
        sys.stderr.write(f'continuity: there is no command "{name}"{_nearest(name)} `continuity help` lists them\n')
        return USAGE
    return int(import_module("continuity.client.running").run(name, rest))


def script() -> int:
    """Entry point of the installed command `continuity`."""
    return main(sys.argv[1:])


def _nearest(name: str) -> str:
    """The command that was meant, as far as one can tell."""
    begun = [known for known in COMMANDS if name and known.startswith(name)]
    found = begun or import_module("difflib").get_close_matches(name[:40], COMMANDS, n=1)
    return f': did you mean "{found[0]}"?' if found else ";"


def _help() -> None:
    width = max(map(len, COMMANDS))
    parts = [
        "\n".join([TITLES[folder], *(f"  {name.ljust(width)}  {summary}" for name, summary in commands.items())])
        for folder, commands in GROUPS.items()
    ]
    sys.stdout.write("usage: continuity COMMAND …\n\n" + "\n\n".join(parts) + "\n\n" + MORE)


def abandon_output() -> None:
    """After the reader of a pipe went away, so that Python's own last flush has somewhere to go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
