"""continuity pack: the files of this repository that a request is about, ranked on this machine; nothing is sent."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from continuity.client import terminal
from continuity.packs.context import context
from continuity.packs.fill import CONTEXT
from continuity.packs.ranking import rank
from continuity.repository.reading import read_state, read_text

PROMPT = 400_000  # characters


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", metavar="WORD", nargs="*", help="what is asked (default: standard input)")
    parser.add_argument("--repository", type=Path, default=Path(), metavar="DIR", help="default: the folder that you are in")
    parser.add_argument("--budget", type=int, default=CONTEXT, metavar="BYTES", help=f"of the text, at most {CONTEXT}")
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="files in the JSON (default 20)")


def run(options: argparse.Namespace) -> int:
    if not options.repository.is_dir():
        terminal.note(f"{options.repository} is no folder")
        return 2
    prompt = " ".join(options.words) if options.words else sys.stdin.read(PROMPT)
    root, state = read_state(options.repository)
    ranking = rank(state, prompt, lambda path: read_text(root, path))
    text = context(ranking, prompt, budget=options.budget)
    if options.json:
        identity = {"key": state.identity.key, "roots": list(state.identity.roots), "remote": state.identity.remote}
        terminal.show_json({"repository": identity, "head": state.head, "files": list(ranking.paths[: options.limit]), "context": text})
    elif text:
        terminal.show(text.rstrip("\n"))
    else:
        terminal.note("there are no files here")
    return 0 if text else 1
