"""continuity rate: what a reader of a received handoff says of it: useful or not, which line is wrong, what is missing."""

from __future__ import annotations

import argparse
from typing import Any

from continuity.client import selection, terminal
from continuity.client.client import Client
from continuity.client.main import DONE, USAGE


def arguments(parser: argparse.ArgumentParser) -> None:
    useful = parser.add_mutually_exclusive_group()
    useful.add_argument("--useful", dest="useful", action="store_true", default=None, help="it was useful")
    useful.add_argument("--not-useful", dest="useful", action="store_false", help="it was not useful")
    told = "a wrong line: its number in the directive, its reference (a12) or words of it; may be given several times"
    parser.add_argument("--wrong", metavar="LINE", action="append", default=[], help=told)
    parser.add_argument("--because", metavar="TEXT", action="append", default=[], help="what is wrong, in the order of --wrong")
    parser.add_argument(
        "--missing", metavar="TEXT", action="append", default=[], help="what it should have told; may be given several times"
    )
    counted = "the style of the directive in which lines are counted; default: the package's own"
    parser.add_argument("--style", choices=("structured", "concise", "narrative"), default="", help=counted)
    parser.add_argument("--handoff", metavar="ID", help="default: the newest resumed one of this folder, else of its repository")


def run(options: argparse.Namespace) -> int:
    ratings = _given(options)
    if not ratings or len(options.because) > len(options.wrong):
        terminal.note("continuity: say --useful, --not-useful, --wrong LINE or --missing TEXT; each --because is of a --wrong")
        return USAGE
    client = Client()
    chosen = selection.handoff(client, options.handoff, status="" if options.handoff else "resumed")
    rated = client.rate(chosen["id"], ratings | ({"style": options.style} if options.style else {}))
    if options.json:
        terminal.show_json(rated)
        return DONE
    counts = rated["counts"]
    terminal.show(
        f"Kept. This handoff was useful to {counts['useful']} of {counts['useful'] + counts['not_useful']} readers; "
        f"called wrong: {counts['wrong_line']}; missing: {counts['missing']}."
    )
    return DONE


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """The ratings that the options hold; empty where they hold none."""
    reasons = [*options.because, *[""] * len(options.wrong)]
    wrong = [{"line": line, "comment": reason} for line, reason in zip(options.wrong, reasons, strict=False)]
    told = {"useful": options.useful, "wrong_lines": wrong, "missing": options.missing}
    return {name: value for name, value in told.items() if value not in (None, [])}
