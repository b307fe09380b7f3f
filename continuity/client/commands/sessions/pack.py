"""continuity pack: the files of this repository that a request is about, ranked on this machine; nothing is sent."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from continuity.client import terminal
from continuity.client.client import Client
from continuity.client.packs import exporting, preparing
from continuity.packs.context import context
from continuity.packs.fill import CONTEXT
from continuity.packs.ranking import rank
from continuity.repository.limits import DEFAULT
from continuity.repository.state_reader import read_state, read_text

PROMPT = 400_000  # characters
FEW = replace(DEFAULT, commits=1)
WAIT, POLITE = 20.0, 10  # seconds for an answer, niceness beside the agent's own work


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", metavar="WORD", nargs="*", help="what is asked (default: standard input)")
    parser.add_argument("--repository", type=Path, default=Path(), metavar="DIR", help="default: the folder that you are in")
    parser.add_argument("--budget", type=int, default=CONTEXT, metavar="BYTES", help=f"of the text, at most {CONTEXT}")
    parser.add_argument("--prepare", metavar="PATH", help=argparse.SUPPRESS)  # How the recorder has packs made for a session's hooks.
    parser.add_argument("--export", type=Path, metavar="DIR", help="instead, write the decisions that people accepted as files of DIR")
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="files in the JSON (default 20)")


def run(options: argparse.Namespace) -> int:
    if options.prepare:
        os.nice(POLITE)
        return 0 if preparing.prepare(options.prepare, Client(connect=WAIT, answer=WAIT)) else 1
    if not options.repository.is_dir():
        terminal.note(f"{options.repository} is no folder")
        return 2
    if options.export:
        return _export(options)
    if options.budget < 1 or options.limit < 1:
        terminal.note("--budget and --limit must be at least 1")
        return 2
    prompt = " ".join(options.words) if options.words else sys.stdin.read(PROMPT)
    root, state = read_state(options.repository)
    ranking = rank(state, prompt, partial(read_text, root))
    text = context(ranking, prompt, budget=options.budget)
    if options.json:
        files = list(ranking.paths[: options.limit])
        terminal.show_json({"repository": state.identity.as_json(), "head": state.head, "files": files, "context": text})
    elif text:
        terminal.show(text.rstrip("\n"))
    else:
        terminal.note(f"no file fits into {options.budget} bytes" if ranking.paths else "there are no files here")
    return 0 if text else 1


def _export(options: argparse.Namespace) -> int:
    """Whose repository this is the server knows by its first commits and its remote."""
    _, state = read_state(options.repository, FEW)
    written = exporting.export(Client().artifacts(state.identity.key), options.export) if state.identity.key else []
    if options.json:
        terminal.show_json({"written": [str(path) for path in written]})
    elif written:
        terminal.show("\n".join(map(str, written)))
    else:
        terminal.note("no decision was accepted that has no file yet")
    return 0
