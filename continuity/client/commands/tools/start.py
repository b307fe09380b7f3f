"""continuity start: resumes a handoff and starts a tool with its directive, in one step."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Callable

from continuity.client import offers, selection, terminal
from continuity.client.client import Client
from continuity.client.running import UnknownName

# What the tool's session is called in a transcript, and how the tool takes its first words and stays.
TOOLS: dict[str, tuple[str, Callable[[str], list[str]]]] = {
    "claude": ("claude-code", lambda words: [words]),
    "codex": ("codex", lambda words: [words]),
    "gemini": ("gemini-cli", lambda words: ["--prompt-interactive", words]),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool", choices=list(TOOLS))
    parser.add_argument("handoff", metavar="ID", nargs="?", help=f"{selection.WHICH}; where none is ready, the tool starts anew")


def run(options: argparse.Namespace) -> int:
    """Does not come back: this process becomes the tool. What stands behind `--` is the tool's."""
    program = shutil.which(options.tool)
    if program is None:
        raise UnknownName(f"{options.tool} is not in your PATH")
    words = _first_words(options)
    if options.json:
        terminal.note("--json has no meaning here: the tool takes this terminal")
    os.execv(program, [program, *options.command, *words])


def _first_words(options: argparse.Namespace) -> list[str]:
    source, given = TOOLS[options.tool]
    client = Client()
    try:
        chosen = selection.handoff(client, options.handoff, status="ready")
    except UnknownName as unknown:
        if options.handoff:
            raise
        terminal.note(f"{unknown}. Starting anew.")
        return []
    resumed = client.resume(chosen["id"], source_tool=source)
    offers.take(chosen["conversation_id"], chosen["id"])
    terminal.note(f"resumed {chosen['id']} as conversation {resumed['conversation']['id']}")
    return given(terminal.as_argument(resumed["directive"]))
