"""Finding out when a note was written, where nothing tells it: after the last request that it knows of."""

from __future__ import annotations

import re

from continuity.core.note_parts import PRESENT
from continuity.knowledge.model import FileAction, Knowledge, Request, RequestKind
from continuity.knowledge.requests.ledger import in_work
from handoffs.notes.evidence import words_of
from handoffs.notes.note import HandoffNote

_LEADING_ON = frozenset((RequestKind.SUMMARY, RequestKind.GO_ON, RequestKind.REMARK, RequestKind.PARTING))
KNOWN = 0.6  # of the words of a request's line, the share that one statement must have to tell of it
FEWEST = 2  # words of a line by which it is known
MISSED = 0.5  # of the words of each line, the most that a note which does not know of the request has where it tells the present
_HASH = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{7,40}\b")
READ = 2000  # characters of a request


def written_through(note: HandoffNote, knowledge: Knowledge) -> int:
    """The number of the last message that the note knows of: that before the first request of which it says nothing, if it tells of an
    earlier one and of nothing that came later; else the last of all."""
    statements = [words_of(text) for _, text in note.statements()]
    present = frozenset[str]().union(*(words_of(text) for part, text in note.statements() if part in PRESENT))
    rows = [(row.seq, lines) for row in knowledge.requests if row.seq > 0 and row.kind not in _LEADING_ON and (lines := _lines(row))]
    told = [number for number, (_, lines) in enumerate(rows) if any(_share(line, each) >= KNOWN for line in lines for each in statements)]
    newest, head = _newest(note, knowledge), next((row.seq for row in in_work(knowledge.requests)), 0)
    # What was said while the agent worked on may be unknown to it though it is older; only what is in work by itself is another request.
    later = [row for row in rows[told[-1] + 1 :] if row[0] > newest or row[0] == head] if told else []
    if later and all(_share(line, present) <= MISSED for _, lines in later for line in lines):
        return later[0][0] - 1
    return knowledge.through_seq


def _newest(note: HandoffNote, knowledge: Knowledge) -> int:
    """The last message of which the note can only know what was first seen there: a file that it names, or a commit."""
    text = "\n".join(words for _, words in note.statements())
    files = (file.seq for file in knowledge.files if file.action is not FileAction.READ and file.path.rsplit("/", 1)[-1] in text)
    commits = (commit.ref.seq for commit in knowledge.situation.commits if any(name in text for name in _HASH.findall(commit.text)))
    return max((*files, *commits), default=0)


def _lines(row: Request) -> list[frozenset[str]]:
    """The words of each line of a request that says something."""
    return [words for line in row.text.text[:READ].splitlines() if len(words := words_of(line)) >= FEWEST]


def _share(words: frozenset[str], told: frozenset[str]) -> float:
    return len(words & told) / len(words)
