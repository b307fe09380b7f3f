"""continuity trailer: adds to a commit's message which session it came of; git calls it, and it never stands in a commit's way."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from continuity.client.light import live_sessions
from continuity.client.main import DONE
from continuity.client.recording import positions

NAME = "Continuity-Session"
_TRAILER = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}: \S")
# Commits that put together what others made: their words are those commits'.
LEFT_ALONE = frozenset({"merge", "squash", "commit"})
LARGEST = 1 << 20


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the message's file, as git names it to a prepare-commit-msg hook")
    parser.add_argument("rest", metavar="SOURCE", nargs="*", help="as git tells it")


def run(options: argparse.Namespace) -> int:
    """Always done: whatever is not as expected leaves the message as it is."""
    try:
        session = "" if LEFT_ALONE & set(options.rest[:1]) else _session()
        text = options.file.read_bytes()[:LARGEST].decode("utf-8") if session else ""
        if session and f"{NAME}: " not in text:
            options.file.write_text(with_trailer(text, session), encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return DONE
    return DONE


def with_trailer(text: str, session: str) -> str:
    """The message with one trailer more, behind its others and in front of the comments that git adds."""
    lines = text.split("\n")
    ends = next((number for number, line in enumerate(lines) if line.startswith("#")), len(lines))
    words, comments = "\n".join(lines[:ends]).rstrip(), "\n".join(lines[ends:])
    last = words.rpartition("\n\n")[2] if "\n\n" in words else ""
    joined = "\n" if last and all(_TRAILER.match(line) for line in last.split("\n")) else "\n\n"
    return f"{words}{joined}{NAME}: {session}\n" + (f"\n{comments}" if comments.strip() else "")


def _session() -> str:
    """The conversation of the session that runs this commit: the live one whose tool is above us, by its file; else none."""
    above = live_sessions.ancestors()
    known = [each for each in positions.everything() if each.conversation]
    names = {each.path: each.conversation for each in known}
    live = [each for each in live_sessions.everything() if not each.get("ended")]
    found = [each for each in live if each.get("pid") in above and each.get("path") in names]
    return names[str(found[-1]["path"])] if len(found) == 1 else ""
