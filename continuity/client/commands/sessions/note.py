"""continuity note: the outgoing agent's handoff note, checked statement by statement; what did not hold is told with the reason."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from continuity.client import selection, terminal, unsent
from continuity.client.client import Client
from continuity.client.main import DONE, USAGE
from continuity.client.shapes import WriteNoteAnswer
from continuity.core.note_parts import PARTS, WHOLE


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="the note as JSON; - or a pipe: standard input")
    for name, meaning in PARTS.items():
        told = f"{meaning}; may be given several times"
        parser.add_argument(f"--{name.replace('_', '-')}", dest=f"part_{name}", action="append", metavar="TEXT", help=told)
    selection.conversation_argument(parser)


def run(options: argparse.Namespace) -> int:
    try:
        note = _given(options)
    except (OSError, ValueError) as error:
        terminal.note(f"continuity: the note can't be read: {error}")
        return USAGE
    client = Client()
    left = unsent.send(client, options.conversation or "")
    conversation = selection.conversation(client, options.conversation)
    unsent.warn(left, conversation)
    written = client.write_note(conversation, note)
    if options.json:
        terminal.show_json(written)
    else:
        _show(written)
    return DONE


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """The note of the options, else of the file or of standard input. Raises OSError, ValueError."""
    parts = {name: given for name in PARTS if (given := getattr(options, f"part_{name}"))}
    if options.file and parts:
        raise ValueError("give a file, or the parts as options, not both")
    if parts:
        return parts
    if options.file in (None, "-") and sys.stdin.isatty():
        raise ValueError("give it as FILE, on standard input, or its parts as options (--now TEXT …)")
    if options.file in (None, "-"):
        text = sys.stdin.read(WHOLE + 1)
    else:
        with Path(options.file).open(encoding="utf-8") as stream:
            text = stream.read(WHOLE + 1)
    if len(text) > WHOLE:
        raise ValueError(f"at most {WHOLE:,} characters")
    try:
        note = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(note, dict):
        raise ValueError("it must be a JSON object with the parts as fields")
    return note


def _show(written: WriteNoteAnswer) -> None:
    note, against, open_ones = written["note"], written["contradicted"], written["unconfirmed"]
    held = len(note["statements"]) - len(against)
    terminal.show(f"Note {note['number']} is kept: {held} of {len(note['statements'])} statements go into the next handoff.")
    if written["dropped"]:
        terminal.show(f"{written['dropped']} older notes were deleted: only the newest 20 are kept.")
    if against:
        terminal.show("Left out, since it did not hold; mend it and write the note again:")
    for each in against:
        terminal.show(f"  {each['part']}: {each['text']}")
        terminal.show(f"    {each['reason']}")
    if open_ones:
        terminal.show("Told as your word alone, since nothing confirms it:")
    for each in open_ones:
        terminal.show(f"  {each['part']}: {each['text']}")
