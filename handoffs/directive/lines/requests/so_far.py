"""What was done for the request in work, and whether any of it came after the user's last message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from continuity.knowledge.evidence import Keeping
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.model import Quote, Request, RequestKind, RequestState, Situation
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.delivery import PUSH, commit_words
from handoffs.directive.lines.message_lines import message_line
from handoffs.directive.lines.quoting import within_quotes
from handoffs.directive.lines.wording import file_names, one_line
from handoffs.directive.past.undone import undone_words

FILES_NAMED, MANY_FILES = 8, 4  # in a line; and that are not named twice
COMMITS_NAMED, MADE_NAMED = 3, 3
LAST_COMMIT = "made the last commit"
ANSWERED = "answered in what the agent said last, and nothing was changed for it"
BEFORE = "; all of that before the user’s last message, and nothing was changed since"
_LEADS_ON = frozenset((RequestKind.GO_ON, RequestKind.PARTING, RequestKind.REMARK, RequestKind.RULE))
_ASKS = frozenset((RequestKind.REQUEST, RequestKind.CORRECTION, RequestKind.REPORT))
_CLOSED = frozenset((RequestState.DONE, RequestState.ANSWERED))


def since_report(rows: Sequence[Request]) -> Sequence[Request]:
    """The messages from the last one on that came after a report of the agent and asked for more: what was before is over."""
    places = (place for place in range(len(rows) - 1, 0, -1) if rows[place - 1].tells and rows[place].kind not in _LEADS_ON)
    return rows[next(places, 0) :]


def heading(rows: Sequence[Request]) -> Sequence[Request]:
    """The messages from the last one on that asked for something after what was added before was reported as done: what was asked at first
    lies further back."""
    places = (place for place in range(len(rows) - 1, 1, -1) if rows[place - 1].state in _CLOSED and rows[place - 1].files)
    place = next((place for place in places if rows[place - 1].tells and rows[place].kind in _ASKS), 0)
    return rows[place:]


def is_untouched(rows: Sequence[Request]) -> bool:
    """Whether something was changed for the work, and nothing since it was reported and more was asked for."""
    since = since_report(rows)
    return len(since) < len(rows) and not any(row.files or row.commits for row in since)


def so_far(rows: Sequence[Request], now: Situation) -> list[Candidate]:
    """What was done for the request, in one line: files, commits, and what was made elsewhere."""
    files = tuple(dict.fromkeys(path for row in rows for path in row.files))
    commits = tuple(dict.fromkeys(commit for row in rows for commit in row.commits))
    open_ones = {file.path for file in now.changed if file.keeping in (Keeping.UNCOMMITTED, Keeping.EDITED_AGAIN)}
    many = len(files) >= MANY_FILES and open_ones.issuperset(files)  # the line of what is not committed names them
    last = commits[-1:] if now.commits and commits[-1:] == (now.commits[-1].text,) else ()  # it has a line of its own
    words = work_words(replace(rows[0], files=() if many else files, commits=commits[: len(commits) - len(last)]), now, files=FILES_NAMED)
    closed = LAST_COMMIT if last else ""
    words = "; ".join(filter(None, (f"changed {len(files)} files" if many else "", words, undone_words(now.undone), closed)))
    made = [f"made {one_line(f'{each.kind} {each.id} {each.url}')}" for each in now.made if each.seq >= rows[0].seq][-MADE_NAMED:]
    hashes = [commit_words(commit, now.branch).partition(" ")[0] for commit in commits]
    pushed = any(each and each in change for each in hashes for change in now.outside if PUSH in change)
    told = "; ".join(filter(None, (words, "pushed" if pushed else "", *made)))
    told += BEFORE if told and is_untouched(rows) else ""
    if not told and now.waiting and rows[-1].outcome is not None and _is_answered(rows[-1]):
        told = ANSWERED
    return [message_line(SectionKind.NEXT, "so far", Quote(told, rows[-1].text.ref), 0.97, seq=rows[-1].last_seq)] if told else []


def _is_answered(row: Request) -> bool:
    return row.kind is RequestKind.QUESTION and row.state is RequestState.ANSWERED


def work_words(row: Request, now: Situation, *, files: int) -> str:
    """Files and commits of a request; empty where there are none."""
    told = []
    if any(not is_scratch(path) for path in row.files):
        names = file_names([path for path in row.files if not is_scratch(path)], [each.path for each in now.changed])
        more = f" and {len(names) - files} more" if len(names) > files else ""
        told.append(f"changed {', '.join(names[-files:])}{more}")
    told += [f"committed “{within_quotes(commit_words(commit, now.branch))}”" for commit in row.commits[-COMMITS_NAMED:]]
    if len(row.commits) > COMMITS_NAMED:
        before = len(row.commits) - COMMITS_NAMED
        told.append(f"{before} commit{'s' if before > 1 else ''} before these")
    return "; ".join(map(one_line, told))
