"""`manage.py handoff FILE`: a transcript becomes a checked handoff on standard output; no database, no server."""

from __future__ import annotations

import argparse
import json
import sys
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from continuity.core.isolation import error_type, place_of
from continuity.core.note_parts import WHOLE
from continuity.transcripts import FORMATS, TranscriptError
from handoffs.building.oneshot import OneShot, from_transcript
from handoffs.building.preparation import MAX_BUDGET, MIN_BUDGET
from handoffs.building.verdict import unsupported, verdict, warnings
from handoffs.contract.model import Options, Style
from handoffs.contract.package_json import to_contract
from handoffs.management.printing import print_text
from handoffs.notes import form
from handoffs.notes.note import HandoffNote

PASSED, FAILED, BAD_INPUT, BELOW_THRESHOLD = 0, 1, 2, 3


class Command(BaseCommand):
    help = (
        "Reads the transcript FILE of an agent's session and prints what its next session must be told. "
        "Exit code: 0 the handoff passes its check, 3 it is below the threshold, 2 the input is bad, 1 a fault of ours."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, nargs="?", help="the transcript")
        parser.add_argument("--cut", type=_cut, metavar="N", help="read only the first N lines (or list elements)")
        parser.add_argument(
            "--budget", type=_budget, default=Options().budget, metavar="TOKENS", help="size of the directive (default 4000)"
        )
        parser.add_argument("--style", choices=[style.value for style in Style], default=Style.STRUCTURED.value)
        parser.add_argument("--format", choices=["auto", *FORMATS], default="auto", help="the transcript's format (default: by content)")
        parser.add_argument("--model", default="", help="count tokens as this model does (default: o200k_base)")
        noting = parser.add_mutually_exclusive_group()
        noting.add_argument("--note", type=Path, metavar="NOTE.json", help="the outgoing agent's handoff note, - for standard input")
        parser.add_argument(
            "--note-cut", type=_cut, metavar="N", help="the note was written when the file had N lines (default: found by what it tells of)"
        )
        noting.add_argument("--without-note", action="store_true", help="no note, not even a summary that the tool wrote")
        noting.add_argument("--note-schema", action="store_true", help="print the JSON schema of a note, and nothing else")
        parser.add_argument("--json", action="store_true", help="print the whole package as JSON")
        parser.add_argument("--quiet", action="store_true", help="nothing on standard error but errors")
        parser.add_argument("--show-secrets", action="store_true", help="do not mask secrets")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["note_schema"]:
            print_text(json.dumps(form.SCHEMA, ensure_ascii=False, indent=2) + "\n")
            sys.exit(PASSED)
        if options["file"] is None:
            self.stderr.write("Name the transcript: manage.py handoff FILE")
            sys.exit(BAD_INPUT)
        if options["note_cut"] is not None and options["note"] is None:
            self.stderr.write("--note-cut says where the note of --note was written: name it too")
            sys.exit(BAD_INPUT)
        note = self._note(options["note"])
        try:
            made = from_transcript(
                options["file"],
                Options(budget=options["budget"], style=Style(options["style"])),
                now=datetime.now(UTC),
                format=options["format"],
                cut=options["cut"],
                model=options["model"],
                show_secrets=options["show_secrets"],
                note=note,
                note_cut=options["note_cut"],
                with_note=not options["without_note"],
                progress=_progress if sys.stderr.isatty() and not options["quiet"] else lambda _: None,
            )
        except TranscriptError as error:
            self.stderr.write(f"{error}")
            sys.exit(BAD_INPUT)
        except Exception as error:  # noqa: BLE001  told by its type: what it says may quote the transcript
            self.stderr.write(f"This transcript can't be handed off: {error_type(error)} at {place_of(error)}. Please report this.")
            sys.exit(FAILED)
        if not options["quiet"]:
            self.stderr.write("\n".join((*warnings(made), verdict(made))))
            for line in unsupported(made):
                self.stderr.write(line)
        print_text(_as_json(made) if options["json"] else made.prepared.text)
        sys.exit(PASSED if made.prepared.report.passes_threshold else BELOW_THRESHOLD)

    def _note(self, path: Path | None) -> HandoffNote | None:
        """The note in a file, or on standard input for `-`; ends the command where it can't be read."""
        if path is None:
            return None
        try:
            with sys.stdin.buffer if str(path) == "-" else path.open("rb") as stream:
                return form.read_text(stream.read(4 * WHOLE + 1).decode("utf-8"))
        except (OSError, ValueError) as error:
            told = "note: is no UTF-8" if isinstance(error, UnicodeError) else error
            self.stderr.write(f"The note can't be read: {told}")
            sys.exit(BAD_INPUT)


def _as_json(made: OneShot) -> str:
    document = to_contract(made.prepared.package, made.prepared.report)
    document["directive"]["text"] = made.prepared.text
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _progress(messages: int) -> None:
    """One line on the terminal, written over by the next."""
    sys.stderr.write(f"\r{messages} messages read\x1b[K\r")
    sys.stderr.flush()


def _budget(text: str) -> int:
    return _whole(text, MIN_BUDGET, MAX_BUDGET)


def _cut(text: str) -> int:
    return _whole(text, 1, 2**63)


def _whole(text: str, least: int, most: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not “{text[:40]}”") from None
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"must be from {least} to {most}, not {number}" if most < 2**63 else f"must be at least {least}")
    return number
