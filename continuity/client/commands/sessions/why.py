"""continuity why: which session made a commit, or last changed a line: the request that it answered, and what was decided."""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from continuity.client import shapes, terminal
from continuity.client.client import Client
from continuity.client.commands.tools.trailer import NAME
from continuity.client.main import DONE, FAILED
from continuity.client.running import UnknownName
from continuity.repository.git import Git
from continuity.repository.identity import HASH

# How many commits behind the one in question are looked at for the first that a session saw.
LATER = 50
_PLACE = re.compile(r"(.+?)(?::(\d{1,7}))?\Z", re.DOTALL)
_TRAILER = re.compile(rf"^{NAME}: (\S{{1,100}})\s*$", re.MULTILINE)
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class CommitMessage(NamedTuple):
    """A commit's words, the session that they name, and when it was made (`made_at`) and its changes first were (`written_at`)."""

    words: str
    named: str
    times: dict[str, str]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", metavar="COMMIT|FILE[:LINE]", help="a commit, a file, or a line of it; default: HEAD", nargs="?", default="HEAD"
    )


def run(options: argparse.Namespace) -> int:
    git = Git(Path.cwd())
    if not git.line("rev-parse", "--git-dir"):
        raise UnknownName(f"{Path.cwd()} is in no git repository")
    commit = _commit(git, options.what)
    words, named, times = _message(git, commit)
    later = [commit, *_later(git, commit)]
    client = Client()
    found = client.reasons(later, conversation=named if _ID.fullmatch(named) else "", **times)
    # Of the named session the place where it saw the commit says more than its name alone; then come the others.
    brought = (each for each in found if _brought(git, each, commit))
    reasons = sorted(brought, key=lambda each: (each["conversation_id"] != named, not each["commit"]))
    if options.json:
        terminal.show_json({"commit": commit, "reasons": reasons})
    else:
        terminal.show(f"{commit[:12]}  {words.partition(chr(10))[0]}")
        for reason in reasons[:1]:
            _show(client, reason)
    if named and not any(each["conversation_id"] == named for each in found):
        terminal.note(f"the commit names the session {named}, which is not there: it is another server's or team's, or was erased")
    if not reasons:
        terminal.note("no recorded session saw it come about: it is older than the records, or was made outside of them")
    return DONE if reasons else FAILED


def _message(git: Git, commit: str) -> CommitMessage:
    told = git.read("rev-list", "--max-count=1", "--format=%ct %at%n%B", commit).decode("utf-8", "replace")
    _, times, words = [*told.split("\n", 2), "", ""][:3]
    named = _TRAILER.search(words)
    moments = zip(("made_at", "written_at"), map(_moment, times.split()), strict=False)
    return CommitMessage(words.strip(), named[1].lower() if named else "", {name: moment for name, moment in moments if moment})


def _moment(seconds: str) -> str:
    """The time as the API reads it; empty for a time that is none."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def _commit(git: Git, what: str) -> str:
    """The whole id of the commit that is meant. Raises UnknownName."""
    if HASH.match(found := git.line("rev-parse", "--verify", "--quiet", "--end-of-options", f"{what}^{{commit}}")):
        return found
    matched = _PLACE.match(what)
    path, line = (matched[1], matched[2]) if matched else (what, None)
    found = _of_line(git, path, int(line)) if line else git.line("rev-list", "--max-count=1", "HEAD", "--", path)
    if HASH.match(found):
        return found
    where = f"line {line} of {path}" if line else path
    raise UnknownName(f"no commit is called {what}, and none that changed {where} is known here")


def _of_line(git: Git, path: str, line: int) -> str:
    """The commit that wrote the line as it is committed; empty where it is not."""
    told = git.line("blame", "--no-textconv", "--porcelain", "-L", f"{line},{line}", "HEAD", "--", path)
    return told.partition(" ")[0]


def _later(git: Git, commit: str) -> list[str]:
    """The commits that followed it up to HEAD, the first first: a session may have seen none of those in between."""
    told = git.read("rev-list", "--reverse", "--ancestry-path", f"{commit}..HEAD").decode("ascii", "replace").split()
    return [each for each in told if HASH.match(each)][:LATER]


def _brought(git: Git, reason: shapes.CommitReason, commit: str) -> bool:
    """Whether the commit came about between what was checked out before and what was then."""
    if not reason["commit"]:
        return True  # The commit itself names the session.
    if not reason["before"]:
        return False  # The session began there: it was made before.
    since = git.read("rev-list", f"{reason['before']}..{reason['commit']}", "--").decode("ascii", "replace").split()
    return commit in since


def _show(client: Client, reason: shapes.CommitReason) -> None:
    terminal.show(f"\nSession  “{reason['title'] or 'untitled'}” ({reason['source_tool'] or 'no tool named'})")
    place = f"/messages?at={reason['request_seq']}#m{reason['request_seq']}" if reason["request_seq"] else ""
    terminal.show(f"         {client.url.rstrip('/')}/conversations/{reason['conversation_id']}{place}")
    if reason["request"]:
        terminal.show(f"\nRequest  {_indented(reason['request'])}")
    for number, decision in enumerate(reason["decisions"]):
        because = f"\n(because {decision['rationale']})" if decision["rationale"] else ""
        terminal.show(f"{chr(10) if not number else ''}Decided  {_indented(decision['text'] + because)}")


def _indented(text: str) -> str:
    return "\n         ".join(text.splitlines())
