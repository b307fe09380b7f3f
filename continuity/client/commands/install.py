"""continuity install: the hooks put into a tool's settings, after showing what changes."""

from __future__ import annotations

import argparse
import difflib

from continuity.client import installing, terminal
from continuity.client.main import DONE, FAILED


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool", choices=sorted(installing.EVENTS))
    parser.add_argument("--project", action="store_true", help="in this folder's settings instead of yours")
    parser.add_argument("--yes", action="store_true", help="write without asking")


def run(options: argparse.Namespace) -> int:
    code = settle(options, installing.install(options.tool, project=options.project), remember=True)
    if code == DONE and options.tool == "codex" and not options.json:
        terminal.tell("Codex runs hooks only after you trusted them: /hooks in its window.")
    return code


def settle(options: argparse.Namespace, change: installing.Change, *, remember: bool) -> int:
    """Shows the difference, and writes it where somebody agrees."""
    if change.before == change.after:
        _tell(options, change, written=False, said=f"{change.path}: nothing to change.")
        return DONE
    before, after = (change.before or "").splitlines(keepends=True), (change.after or "").splitlines(keepends=True)
    if not options.json:
        for line in difflib.unified_diff(before, after, str(change.path), str(change.path)):
            name = {"+": "green", "-": "red"}.get(line[0])
            terminal.tell(terminal.colour(line.rstrip("\n"), name) if name else line.rstrip("\n"))
    if not (options.yes or terminal.confirm("Write this?")):
        _tell(options, change, written=False, said="Nothing was written; --yes writes without asking.")
        return FAILED
    installing.apply(change, remember=remember)
    _tell(options, change, written=True, said=f"{'Removed' if change.after is None else 'Written'}: {change.path}")
    return DONE


def _tell(options: argparse.Namespace, change: installing.Change, *, written: bool, said: str) -> None:
    if options.json:
        terminal.tell_json({"path": str(change.path), "written": written, "after": change.after})
    else:
        terminal.tell(said)
