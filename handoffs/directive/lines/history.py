"""The history as lines: what the user said, oldest first, each with what came of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from continuity.knowledge.extractors.tools.commands import without_filters
from continuity.knowledge.language.clip import beginning
from continuity.knowledge.language.reply_structure import finds_out
from continuity.knowledge.model import Knowledge, Quote, Request, RequestKind, Situation
from continuity.knowledge.requests.excerpt import excerpt, tells, without_closing_question, without_outdated
from continuity.knowledge.requests.gist import gist, without_announcements, without_last_announcement
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.outline import leads_in
from continuity.knowledge.requests.overtaken import SETTLED
from continuity.knowledge.requests.steps import failed
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LITTLE, LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.blocks import block, outlined
from handoffs.directive.lines.checks import runs
from handoffs.directive.lines.delivery import commit_words
from handoffs.directive.lines.goal import chosen_line, is_reply, nods, told_with_goal, work_words
from handoffs.directive.lines.message_lines import NEARLY, message_line, noted_through, retold_by_note
from handoffs.directive.lines.quoting import as_data
from handoffs.directive.lines.request_steps import steps_line
from handoffs.directive.lines.reruns import mended
from handoffs.directive.lines.wording import CLIP, CODE, clip, one_line

BEGINNING = 120  # characters of a message that is told elsewhere
NOD = 32  # characters of an answer that only says that it was heard
ANSWER = 60  # characters of an answer that says little without its question
WHOLE = 480  # characters up to which a person's words stand whole, where there is room for a history
OPENING, OPENS = 1100, 6  # characters of what a document of the person's begins with, and times the room of a message
PASTED = 140  # characters of what a person pasted below words that lead in to it
REMARK = 240  # characters of words that only lead on
FULL, HALF = 2, 9  # rows of the history, the latest, that are told at length, and at half of it
ASKED = 0.9  # what an answered question is worth beside other words of the person
# What a message of the person is worth, and where the budget leaves each less than LITTLE characters; CUT is its share where it is cut.
SAID, SAID_SHORTLY, CUT = 2.0, 0.9, 0.5
# What came of it: the agent's words, the steps, files and commits; where there is little room, what a person stated goes first.
CAME, STEPS, WORK, FOUND, SHORTLY = 1.7, 1.4, 1.3, 0.9, 0.45
SENTENCES = 2  # of what was found out on the way
FINDING = 60  # characters of what was found out on the way, fewer of which say nothing
FILES_NAMED = 5
_DATA = '{"'  # nobody reads it
_LISTED = re.compile(r"\s*(?:[-*+•>|#`]|\d{1,2}[.)])")  # a line of a list, a table, code or a heading
_MORE = re.compile(r"… (\d{1,4}) more\b")
_ID = re.compile(r"[0-9a-f]{7}(?=[0-9a-f]*\b)")  # by which a commit is named
# What came of all requests is told within so many times the room of one, each by its age, and in no less than LEAST characters.
TOGETHER, LEAST = 14, 200
PASSING = frozenset((RequestKind.QUESTION, RequestKind.REMARK))  # what is over, where the agent's note tells how the work came here
SHORTER = (0.6, 0.35)  # of its room, where an answer finds less
FRAGMENT = 120  # characters of a cut answer, fewer of which say nothing without the rest
WHOLE_HISTORY = 4  # times the room of a block that the answers of a session have together, for none of them to be cut


def history_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """A line for each message of the user before the request in work, one for what the agent answered, and one for the work that came of
    it, unless those are told with the request."""
    rows = knowledge.requests if limits.earlier else ()
    elsewhere, now = told_with_goal(knowledge), {row.seq for row in in_work(knowledge.requests)}
    small = limits.row < LITTLE
    shares = [3 if age <= FULL else 2 if age <= HALF else 1 for age in range(len(rows))]
    ended = sum(share for share, row in zip(shares, reversed(rows), strict=True) if row.outcome is not None and row.seq not in elsewhere)
    found: list[Candidate] = []
    share = SHORTLY if small else 1.0
    noted = noted_through(knowledge)
    retold = retold_by_note(knowledge)
    told = sum(len(row.outcome.text) for row in rows if row.outcome is not None and row.seq not in elsewhere)
    whole = told <= WHOLE_HISTORY * limits.block  # a short session is told in its own words
    weights = {each.term: each.weight for each in knowledge.carried.weights}
    refusals = {each.seq for each in knowledge.situation.refusals}
    latest = rows[::-1]
    for age, (row, after) in enumerate(zip(latest, (None, *latest), strict=False)):
        late = 1.0 - age / max(len(rows), 1)
        longer = shares[age]
        room = limits.block if whole else max(LEAST, min(longer * limits.outcome, TOGETHER * limits.outcome * longer // max(ended, 1)))
        by_note = 0 < row.seq <= noted and (row.kind in PASSING or retold.states(row.text.text))
        told = row.seq in (elsewhere if small else now) or by_note
        worked = row.files or row.commits  # then a nod says where this work began
        # What led to the request is told before the history, which needs its words only where they head what was done.
        told = told or (row.seq in elsewhere and not (worked or row.steps))
        if row.text.text.strip() and not (nods(row) and not worked) and not told:
            opening = 0 if small else min(OPENING, OPENS * limits.row)
            line = _said(row, limits.row * longer, late, SAID_SHORTLY if small else SAID, lately=age <= FULL, opening=opening)
            found.append(_shortly(line) if row.seq in elsewhere else line)
            found += [] if small else chosen_line(SectionKind.RECENT, row, knowledge, CAME * (0.7 + 0.3 * late))
        if row.seq in now or 0 < row.last_seq <= noted:
            continue
        if row.outcome is not None and row.seq not in elsewhere and not _only_announced(row):
            met = after is not None and after.seq in refusals  # what the agent was about to do with these words was refused
            found += [] if met else _came(row, after, room, share * (0.7 + 0.3 * late), weights)
        found += _found_out(row, share * (0.7 + 0.3 * late))
        steps = row.steps if len(row.steps) > 1 or row.outcome is None or any(map(failed, row.steps)) else ()
        found += steps_line(SectionKind.RECENT, steps, room, STEPS * share * (0.8 + 0.2 * late), seq=row.last_seq)
        if not _is_told_by_parts(row, knowledge.situation):
            found += _work(row, share * (0.7 + 0.3 * late), knowledge.situation)
    return found


def _only_announced(row: Request) -> bool:
    """Whether the agent's words only say what comes next, or that the person was heard."""
    words = row.outcome.text if row.outcome else ""
    nodded = len(words) < NOD and row.kind is not RequestKind.QUESTION and not any(sign.isdigit() or sign == "`" for sign in words)
    return not (row.interrupted or row.files or row.commits) and (nodded or (not row.tells and len(words) < REMARK))


def _said(row: Request, limit: int, late: float, said: float, *, lately: bool, opening: int) -> Candidate:
    label = "carried" if row.kind is RequestKind.SUMMARY else "user"
    asked = ASKED if row.kind is RequestKind.QUESTION and row.outcome is not None else 1.0
    room = max(limit, WHOLE) if len(row.text.text) <= WHOLE and limit >= LITTLE else limit
    room = max(room, len(row.text.text)) if len(row.text.text) <= room * NEARLY and limit >= LITTLE else room
    text = gist(row.text.text, 5 * limit) if label == "carried" else outlined(row.text.text, room, opening=opening)
    if row.pasted.strip() and leads_in(text) and lately and _DATA not in row.pasted:  # it says nothing without the paste below it
        text = f"{text} {as_data(clip(one_line(row.pasted), PASTED))}"
    text = text.replace(SETTLED, "")
    if row.command and row.command not in text:
        text = f"{row.command} {text}"
    cut = CUT if limit < LITTLE and CLIP in text else 1.0
    worth = (0.95 if label == "carried" else said) * (0.8 + 0.2 * late) * asked * cut
    line = message_line(SectionKind.RECENT, label, Quote(text, row.text.ref), worth)
    outline = block(outlined(row.text.text, room)) if opening and label == "user" else line.item.text
    return line._replace(shorter=(outline,)) if len(outline) < len(line.item.text) else line


def _shortly(line: Candidate) -> Candidate:
    """The beginning of the person's words, where the section before the history tells them."""
    words = one_line(line.item.text)
    return line if len(words) <= BEGINNING else line._replace(item=line.item._replace(text=f"{beginning(words, BEGINNING)} {CLIP}"))


def _came(row: Request, after: Request | None, limit: int, share: float, weights: Mapping[str, float]) -> list[Candidate]:
    if not row.outcome:
        return []
    said = _said_of_it(row, after)
    words = excerpt(said, limit, weights, asking=_is_needed(row, after)) or gist(said, limit)
    done = row.tells and (row.files or row.commits) and not row.check.endswith(" failed")
    label = "stopped" if row.interrupted else "made" if done else "agent said" if row.files else "agent"
    if not words.strip() or ((row.files or row.commits or row.check) and not any(map(tells, words.split("\n")))):
        return []
    line = message_line(SectionKind.RECENT, label, Quote(words, row.outcome.ref), CAME * share)
    fewer = (excerpt(said, int(limit * part), weights) for part in SHORTER if len(words) > limit * part > LEAST)
    return [line._replace(shorter=tuple(block(each) for each in fewer if _says_enough(each)))]


def _says_enough(words: str) -> bool:
    """Whether a shortened answer says something, and of none of its lists less than half."""
    shown = 0
    for line in words.split("\n"):
        left = _MORE.search(line)
        if left is not None and int(left[1]) > shown:
            return False
        shown = shown + 1 if _LISTED.match(line) else 0
    return len(words.strip()) >= FRAGMENT


def _found_out(row: Request, share: float) -> list[Candidate]:
    """What the agent found out on its way to the answer, in sentences that stand together; lists are told by what came of them."""
    found = []
    for quote in row.told:
        lines = [line for line in without_outdated(quote.text).split("\n") if line.strip() and not _LISTED.match(line)]
        said = [sentences_of(line) for line in lines]
        first = ((line, place) for line in said for place, sentence in enumerate(line) if finds_out(sentence))
        line, place = next(first, ([], 0))
        words = without_announcements(" ".join(line[place : place + SENTENCES]))
        if len(words) >= FINDING and not words.rstrip(" *_`").endswith(":"):
            found.append(message_line(SectionKind.RECENT, "agent said", Quote(words, quote.ref), FOUND * share, seq=row.last_seq))
    return found


def _is_needed(row: Request, after: Request | None) -> bool:
    """Whether the message `after` an answer says little without the question that the answer ends with."""
    if after is None:
        return False
    return (after.kind is RequestKind.ANSWER and len(after.text.text) <= ANSWER) or is_reply(after, row)


def _said_of_it(row: Request, after: Request | None) -> str:
    """The agent's words without what is over: those at their end that only announce what comes, what no longer holds, and the question at
    their end, unless a few words `after` it say nothing without it."""
    words = without_outdated(row.outcome.text) if row.outcome else ""
    if not _is_needed(row, after):
        words = without_closing_question(words)
    return without_last_announcement(words)


def _is_told_by_parts(row: Request, now: Situation) -> bool:
    """Whether the parts of the work that commits closed tell all that came of a request."""
    parts = [part for part in now.parts if part.commits and part.title.strip() and row.seq <= part.seq <= part.last_seq <= row.last_seq]
    commits = {commit_words(each, now.branch) for part in parts for each in part.commits}
    files = {path for part in parts for path in part.files}
    return bool(parts) and all(commit_words(each, now.branch) in commits for each in row.commits) and files.issuperset(row.files)


def _work(row: Request, share: float, now: Situation) -> list[Candidate]:
    """Files, commits and the last check of a request in one line; not one that failed and is over now."""
    said = row.outcome.text if row.outcome is not None and len(row.outcome.text) <= WHOLE else ""
    row = replace(
        row, commits=tuple(each for each in row.commits if not ((found := _ID.match(commit_words(each, now.branch))) and found[0] in said))
    )
    over = mended(row.check, row.last_seq, runs(now))
    check = "" if over else CODE.sub(lambda found: f"`{without_filters(found[1])}`", row.check)
    told = "; ".join(words for words in (work_words(row, now.branch, files=FILES_NAMED), f"last check {check}" if check else "") if words)
    return [message_line(SectionKind.RECENT, "work", Quote(told, row.text.ref), WORK * share, seq=row.last_seq)] if told else []
