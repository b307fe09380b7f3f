"""continuity trailer: adds to a commit's message which session it came of; git calls it, and it never stands in a commit's way."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import NamedTuple

from continuity.client.light import live_sessions
from continuity.client.main import DONE
from continuity.client.recording import positions
from continuity.repository.git import Git

NAME = "Continuity-Session"
_TRAILER = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}: \S")
_NAMED = re.compile(rf"^{NAME}: ", re.MULTILINE)
# Commits that put together what others made: their words are those commits'. A template that nobody changed must still be refused.
LEFT_ALONE = frozenset({"merge", "squash", "commit", "template"})
# What is below this line, behind the sign of comments, git cuts off.
_SCISSORS = re.compile(r"^(\S+) -{24} >8 -{24}$", re.MULTILINE)
# Of which `core.commentChar=auto` chooses one that begins no line of the message.
SIGNS = "#;@!$%^&|:"
SETTINGS = r"^(core\.comment(char|string)|commit\.cleanup)$"
# Values of commit.cleanup with which git leaves lines that begin with the sign.
KEPT = frozenset({"whitespace", "verbatim", "scissors"})


class MessageReading(NamedTuple):
    """How git reads the message: `sign` begins its comments, `edited` whether an editor comes first, `cleanup` as commit.cleanup."""

    sign: str = "#"
    edited: bool = True
    cleanup: str = ""

    @property
    def strips(self) -> bool:
        """Whether lines that begin with the sign are no part of the message."""
        return self.cleanup == "strip" or (self.edited and self.cleanup not in KEPT)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the message's file, as git names it to a prepare-commit-msg hook")
    parser.add_argument("rest", metavar="SOURCE", nargs="*", help="as git tells it")


def run(options: argparse.Namespace) -> int:
    """Always done: whatever is not as expected leaves the message as it is."""
    source = options.rest[0] if options.rest else ""
    try:
        session = "" if source in LEFT_ALONE else _session()
        if session:
            text = options.file.read_bytes().decode("utf-8", "surrogateescape")
            # Git names this editor to hooks where it calls none; without `-m` or `-F` it always calls one.
            reading = _reading(text, edited=source != "message" or os.environ.get("GIT_EDITOR") != ":")
            if (after := with_trailer(text, session, reading)) != text:
                options.file.write_bytes(after.encode("utf-8", "surrogateescape"))
    except OSError:
        return DONE
    return DONE


def with_trailer(text: str, session: str, reading: MessageReading = MessageReading()) -> str:
    """The message with one trailer more, behind its others and in front of the comments that git adds.

    One without words stays as it is, so that git still gives up the commit; so does one that names a session.
    """
    words, comments = _divided(text, reading)
    kept = [line for line in words.split("\n") if line.strip() and not (reading.strips and line.startswith(reading.sign))]
    if not kept or _NAMED.search(words):
        return text
    subject, _, last = words.strip().rpartition("\n\n")
    joined = "\n" if subject and all(_TRAILER.match(line) for line in last.split("\n")) else "\n\n"
    return f"{words}{joined}{NAME}: {session}\n" + (f"\n{comments}" if comments.strip() else "")


def _divided(text: str, reading: MessageReading) -> tuple[str, str]:
    """The words, and what git put below them for who edits the message."""
    if not reading.edited:
        return text.rstrip(), ""
    cut = next((each.start() for each in _SCISSORS.finditer(text) if each[1] == reading.sign), len(text))
    lines = text[:cut].split("\n")
    end = len(lines)
    if reading.strips:
        while end and _is_comment_or_blank(lines[end - 1], reading.sign):
            end -= 1
    elif cut == len(text):
        # Git's own remark stays in the message unless somebody removes it; the lines right at the beginning are not that.
        while end and not lines[end - 1].strip():
            end -= 1
        block = end
        while block and lines[block - 1].startswith(reading.sign):
            block -= 1
        end = block or end
    words = "\n".join(lines[:end]).rstrip()
    return words, text[len("\n".join(lines[:end])) :].lstrip("\n")


def _is_comment_or_blank(line: str, sign: str) -> bool:
    return not line.strip() or line.startswith(sign)


def _reading(text: str, *, edited: bool) -> MessageReading:
    """How git reads the message, by its settings; what is given to one commit alone (`--cleanup`) no hook is told."""
    told = Git(Path.cwd()).read("config", "--get-regexp", SETTINGS).decode("utf-8", "replace").splitlines()
    known = dict(line.partition(" ")[::2] for line in told)
    sign = known.get("core.commentstring") or known.get("core.commentchar") or SIGNS[0]
    return MessageReading(_chosen(text) if sign == "auto" else sign, edited, known.get("commit.cleanup", ""))


def _chosen(text: str) -> str:
    """The sign that git chose for this message, of the last comment in it."""
    cut = _SCISSORS.search(text)
    last = cut[1] if cut else text.rstrip().rpartition("\n")[2][:1]
    return last if last and last in SIGNS else SIGNS[0]


def _session() -> str:
    """The conversation of the session that runs this commit: the live one whose tool is above us, by its file; else none."""
    above = live_sessions.ancestors()
    known = [each for each in positions.everything() if each.conversation]
    names = {each.path: each.conversation for each in known}
    live = [each for each in live_sessions.everything() if not each.get("ended")]
    found = [each for each in live if each.get("pid") in above and each.get("path") in names]
    return names[str(found[-1]["path"])] if len(found) == 1 else ""
