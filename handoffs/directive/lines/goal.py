"""The request in work as lines: shortly among what is so now, and in full with what it answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile, pairwise

from continuity.knowledge.directive_parser.grammar import ASKS, OWES
from continuity.knowledge.language.acceptance import acceptance
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.replies import replies
from continuity.knowledge.language.requests import is_request, is_wish
from continuity.knowledge.language.sentences import split
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.methods import ACCEPTED
from continuity.knowledge.model import Knowledge, Quote, Request, RequestKind, RequestState
from continuity.knowledge.requests.gist import fitting, gist, without_announcements, without_last_announcement
from continuity.knowledge.requests.kinds import denies_answer
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.overtaken import SETTLED
from continuity.knowledge.requests.points import told_in
from continuity.knowledge.requests.progress import asks_for_work
from continuity.knowledge.requests.report_points import draws
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.blocks import block, outlined, pointed
from handoffs.directive.lines.files import NAMED, not_opened
from handoffs.directive.lines.message_lines import detail_line, fitted_line, message_line
from handoffs.directive.lines.requests.assent import agreed_to
from handoffs.directive.lines.requests.pasted import pasted_candidates
from handoffs.directive.lines.requests.so_far import heading, so_far
from handoffs.directive.lines.tasks import AT_A_GLANCE, open_tasks
from handoffs.directive.lines.wording import clip_said, normalise, one_line
from handoffs.directive.past.reports import plainly

SHORT = 60  # characters of a request that says little without what came before it
BEGINS = 40  # characters by which a task is known for that of a request
SAYS_LITTLE, LONGER, WORK_AT_A_GLANCE = 200, 60, 260  # characters of a request that leans on an earlier one, and of that one beside it
TAKEN_UP, WORDS, MANY = 0.5, 20, 400  # share of the words of its first sentence; words that are looked at
ASKED = 360  # of what the agent asked or offered, its end
CLOSED = 0.6  # what the whole of a long request is worth once it is done: its beginning stands among what is so now
FURTHER = 4  # of what the user said to the request since, the latest, that stand beside it
SHORTLY = 0.4  # what led to the request is worth where the budget holds little more than what binds
BEFORE, RATIONALE, CHOSEN = 700, 200, 240  # of the exchange that a short request goes on from, the reason of a choice, and an option
TELLING = 120  # characters of the agent's words that a correction or a question meets

_BEGIN_WORK = frozenset((RequestKind.REQUEST, RequestKind.REPORT))
_STANDS_FOR = re.compile(r"(?:\w+[, ]+){0,3}(?:and|also|but|it|that|this|them|these|those|both|instead|again|back)\b")
# What says little without the agent's words that it meets.
_MEETS = frozenset((RequestKind.CORRECTION, RequestKind.RULE, RequestKind.QUESTION, RequestKind.REPORT, RequestKind.REMARK))
_TELLS = frozenset((RequestKind.REQUEST, RequestKind.REMARK, RequestKind.ANSWER))
_FOLLOWING = frozenset((RequestKind.QUESTION, RequestKind.CORRECTION, RequestKind.ANSWER, RequestKind.REMARK, RequestKind.PARTING))


def goal_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """What the user wants, in the user's words, and what was done of it."""
    rows = in_work(knowledge.requests)
    if not rows or not rows[0].text.text.strip():
        goal = goal_of(knowledge)
        return [_glance(goal, limits, essential=True)] if goal and goal.text.strip() else []
    work, rows = rows, tuple(heading(rows))
    head = rows[0]
    words = head.text.text.replace(SETTLED, "")
    asked = Quote(f"{head.command} {words}" if head.command and head.command not in words else words, head.text.ref)
    found = _asked(asked, knowledge, limits)
    found += pasted_candidates(head, limits)
    found += _before(knowledge, head, limits)
    if asks_first(knowledge):
        found += [detail_line(SectionKind.NEXT, "asks", ASKS, head.seq, 0.972)] if _is_to_be_answered(knowledge) else []
    elif knowledge.situation.waiting is False:
        found += _owed(rows, limits)
    found += [line for row in rows for line in chosen_line(SectionKind.NEXT, row, knowledge, 0.97)] if limits.earlier else []
    found += _since(rows, limits, knowledge.through_seq)
    found += _belongs_to(rows, knowledge, limits)
    return [*found, *so_far(work, knowledge.situation), *_not_opened(rows, knowledge)]


def goal_of(knowledge: Knowledge) -> Quote | None:
    """The words of the request in work; without a ledger, those that the session was begun with."""
    asked = next((row.text for row in in_work(knowledge.requests) if row.text.text.strip()), None)
    return asked or knowledge.situation.objective or knowledge.situation.latest_request


def told_with_goal(knowledge: Knowledge) -> frozenset[int]:
    """The rows of the ledger that the request in work is told with, by their message."""
    rows = heading(in_work(knowledge.requests))
    before = exchange_before(knowledge.requests, rows[0]) if rows else None
    return frozenset(row.seq for row in (*rows, *((before,) if before else ())))


def answers_told_with_goal(knowledge: Knowledge) -> frozenset[int]:
    """The messages of the agent's answers that the request in work is told with."""
    told = told_with_goal(knowledge)
    return frozenset(row.outcome.ref.seq for row in knowledge.requests if row.seq in told and row.outcome is not None)


def exchange_before(rows: Sequence[Request], head: Request) -> Request | None:
    """The exchange that a question, a correction or a short request goes on from."""
    earlier = [row for row in rows if row.seq < head.seq and row.text.text.strip() and row.kind is not RequestKind.SUMMARY]
    before = earlier[-1] if earlier else None
    if head.kind in _FOLLOWING or len(head.text.text) <= SHORT or head.answers is not None:
        return before
    return before if before is not None and is_reply(head, before) else None


def _offer(row: Request) -> str:
    """The label of what the agent had asked or offered, where a message takes it and chooses nothing else."""
    accepted = acceptance(row.text.text)
    return "taken" if accepted is not None and not accepted.choices else "offer"


def is_reply(row: Request, before: Request) -> bool:
    """Whether a message answers the question that the agent's words before it end with."""
    return before.outcome is not None and replies(row.text.text, before.outcome.text)


def told_already(words: str, knowledge: Knowledge) -> bool:
    """Whether the request in work or the agent's last words hold the words anyway."""
    rows = in_work(knowledge.requests)
    said = [row.text.text for row in rows] + [row.outcome.text for row in rows[-1:] if row.outcome]
    return bool(words.strip()) and any(normalise(words) in normalise(text) for text in said)


def _glance(goal: Quote, limits: LineLimits, *, essential: bool) -> Candidate:
    goal = Quote(pointed(goal.text, AT_A_GLANCE), goal.ref) if limits.earlier else goal
    return fitted_line(SectionKind.NEXT, "goal", goal, min(limits.block, AT_A_GLANCE), 0.975, essential=essential)


def _asked(goal: Quote, knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """The request at a glance, and whole where it is longer than that; whole at once, and critical itself, where a critical anchor is in
    its words."""
    own, text = normalise(goal.text), block(goal.text)
    rows = in_work(knowledge.requests)
    begun = any(row.files for row in rows)  # of its parts those that are open are told
    in_parts = begun and bool(knowledge.brief) and knowledge.brief[0].ref.seq == goal.ref.seq
    worth = CLOSED if rows[0].state is RequestState.DONE else 0.97
    line = _glance(goal, limits, essential=True)
    if any(anchor.critical and normalise(anchor.text) == own for anchor in knowledge.anchors):
        return [line._replace(item=line.item._replace(text=text, critical=True), shorter=())]
    return (
        [line]
        if line.item.text == text or (in_parts and limits.earlier)
        else [line, fitted_line(SectionKind.GOAL, "whole", goal, limits.block, worth)]
    )


def _before(knowledge: Knowledge, head: Request, limits: LineLimits) -> list[Candidate]:
    """The exchange that the request goes on from, or the work that it belongs to while that is open."""
    before = exchange_before(knowledge.requests, head)
    worth = 0.9 if limits.earlier else SHORTLY
    found: list[Candidate] = []
    if before is not None:
        alone = all(row.kind is RequestKind.PARTING for row in in_work(knowledge.requests)[1:])
        if not nods(before):
            room = min(limits.block // 3, BEFORE)
            asked = Quote(outlined(before.text.text, room), before.text.ref)
            found.append(fitted_line(SectionKind.GOAL, "goal before", asked, 2 * room, worth))
        if before.outcome is not None and before.outcome.text.strip():
            room = min(limits.block // 2, BEFORE * (3 if alone else 1))
            words = Quote(_report(before.outcome.text, room, pictures=alone), before.outcome.ref)
            said_little = len(head.text.text) <= SHORT or head.answers is not None
            asks = alone and (said_little or is_reply(head, before)) and "?" in ending(before.outcome.text, ASKED)
            if not (asks and limits.earlier and len(before.outcome.text) <= ASKED):  # else the line below has all of it
                found.append(fitted_line(SectionKind.GOAL, "offered", words, limits.block, worth))
            if asks:
                asked = Quote(ending(before.outcome.text.replace(SETTLED, ""), ASKED), before.outcome.ref)
                found.append(message_line(SectionKind.NEXT, _offer(head), asked, 0.966)._replace(essential=limits.earlier))
            elif limits.earlier and (agreed := agreed_to(head, before)) is not None:
                found.append(message_line(SectionKind.NEXT, "taken", agreed, 0.966))
    work = _still_open(knowledge, head)
    if work is not None and (before is None or work.ref.seq != before.text.ref.seq):
        found.append(fitted_line(SectionKind.GOAL, "goal before", work, limits.block // 3, 0.9))
    return found


def _report(text: str, room: int, *, pictures: bool) -> str:
    """The agent's words by their points; with the drawings between them where these are to be chosen from."""
    if pictures and draws(text):
        return gist(text, room, pictures=True)
    return told_in(text if len(text) <= room else plainly(text, details=False), room)


def _still_open(knowledge: Knowledge, head: Request) -> Quote | None:
    """What the whole work is about, where a task in these words is still open."""
    goal = knowledge.situation.objective
    if goal is None or goal.ref.seq == head.seq or not goal.text.strip():
        return None
    begins = normalise(goal.text)[:BEGINS]
    return goal if any(normalise(task.description).startswith(begins) for task in open_tasks(knowledge)) else None


def asks_first(knowledge: Knowledge) -> bool:
    """Whether the request in work is a question for which nothing was changed."""
    rows = in_work(knowledge.requests)
    return len(rows) == 1 and rows[0].kind is RequestKind.QUESTION and not rows[0].files


def _is_to_be_answered(knowledge: Knowledge) -> bool:
    """Whether it is the agent's move, and nothing was said of it since; beside a note that says it."""
    rows = in_work(knowledge.requests)
    return knowledge.situation.waiting is not True and knowledge.note is None and not rows[-1].tells


def _owed(rows: Sequence[Request], limits: LineLimits) -> list[Candidate]:
    """The last question of the user's own that the agent worked on and did not answer."""
    row, question = owed_question(rows)
    if row is None:
        return []
    if question == row.text.text.strip():  # which stands above
        return [detail_line(SectionKind.NEXT, "asks", OWES, row.seq, 0.972)]
    words = Quote(clip_said(one_line(question), limits.quote), row.text.ref)
    return [message_line(SectionKind.NEXT, "owed", words, 0.965)]


def owed_question(rows: Sequence[Request]) -> tuple[Request | None, str]:
    """The last question that was worked on and not answered, and the message that it ends: the agent said no more than a sentence since."""
    for place in range(len(rows) - 1, -1, -1):
        row, since = rows[place], rows[place:]
        said = [without_announcements(q.text) for each in since for q in (*each.told, *((each.outcome,) if each.outcome else ()))]
        if any(sum(len(sentences_of(line)) for line in text.splitlines()) > 1 for text in said):
            return None, ""
        if (question := _question(row)) and not is_wish(question) and any(each.files or each.steps for each in since):
            return row, question
    return None, ""


def _question(row: Request) -> str:
    """The question that a message of the person ends with, in a sentence of its own that asks for nothing to be done; empty where none is,
    as in words of somebody else."""
    sentences = split(row.text.text)
    last = sentences[-1].text.strip() if sentences else ""
    asks = last.rstrip(" *_").endswith(("?", "？")) and not last.startswith((">", "“", '"'))
    return last if asks and (row.kind is RequestKind.QUESTION or not is_request(last)) else ""


def _since(rows: Sequence[Request], limits: LineLimits, through_seq: int) -> list[Candidate]:
    """What was said to the request in work since, with what the user's words answered."""
    found: list[Candidate] = []
    for earlier, row in pairwise(rows):
        answers, latest = row.kind is RequestKind.ANSWER, row is rows[-1]
        short = answers and latest and earlier.outcome is not None and len(earlier.outcome.text) <= ASKED  # *Now* tells it
        met = answers or (latest and row.kind in _MEETS)
        if met and earlier.outcome is not None and not short and (answers or _tells(earlier.outcome)):
            room = limits.block if answers else min(limits.block, BEFORE)
            offer = Quote(_report(earlier.outcome.text, room, pictures=answers and latest), earlier.outcome.ref)
            label = "denied" if denies_answer(row.text.text) else "offered"
            found.append(fitted_line(SectionKind.GOAL, label, offer, limits.block, 0.96))
        if row.kind is RequestKind.GO_ON and limits.earlier and (agreed := agreed_to(row, earlier)) is not None:
            found.append(message_line(SectionKind.NEXT, "taken then", agreed, 0.966))
        if row.text.text.strip() and (row is rows[-1] or not nods(row)):
            # A question that was answered, and after which the user went on, is no longer open.
            over = row.kind is RequestKind.QUESTION and row.state is RequestState.ANSWERED and not row.files and row is not rows[-1]
            now = row in rows[-FURTHER:] and not over
            found += _added(row, earlier, limits, last=latest and not _is_taken_in(row), met=not latest or through_seq > row.seq, now=now)
    return found


def _is_taken_in(row: Request) -> bool:
    """Whether a message only told the agent something in the midst of its work, and it answered and went on: that is no word to act on."""
    went_on = row.outcome is not None and any(step.files or step.check for step in row.steps)
    asks = row.kind not in _TELLS or asks_for_work(row.text.text) or "?" in row.text.text
    return row.continues and went_on and not asks


def chosen_line(kind: SectionKind, row: Request, knowledge: Knowledge, worth: float) -> list[Candidate]:
    """What a few words chose of what the agent had put to the person: the option itself, where they only name its number."""
    said = row.text.text[:RATIONALE]
    options = [
        anchor.text for anchor in knowledge.anchors if anchor.method == ACCEPTED and anchor.rationale == said and _names_options(said)
    ]
    if not options:
        return []
    told = " / ".join(clip_said(one_line(option), CHOSEN) for option in options)
    return [message_line(kind, "chose", Quote(told, row.text.ref), worth)]


def _names_options(words: str) -> bool:
    accepted = acceptance(words)
    return accepted is not None and bool(accepted.choices)


def _tells(outcome: Quote) -> bool:
    """Whether the agent's words say more than what it is about to do."""
    return len(without_last_announcement(outcome.text)) >= TELLING


def _added(row: Request, earlier: Request, limits: LineLimits, *, last: bool, met: bool, now: bool) -> list[Candidate]:
    """What the user said to the request since, beside it if it is among the latest (`now`); answers but for the latest stand with what they
    answer. `met` is what the agent has gone on after: it is no word that still waits."""
    answers = row.kind is RequestKind.ANSWER
    label, room = "answered" if answers else "further" if met else "added", min(limits.block // 2, AT_A_GLANCE)
    if not last:
        return [fitted_line(SectionKind.NEXT if now and not answers else SectionKind.GOAL, label, row.text, room, 0.97)]
    line = fitted_line(SectionKind.NEXT, label, row.text, room, 0.98, essential=True)
    if not answers or earlier.outcome is None:
        return [line]
    said = earlier.outcome.text.replace(SETTLED, "")  # The line below says how.
    asked = Quote(said if len(said) <= ASKED else ending(said, ASKED), earlier.outcome.ref)
    if len(said) > ASKED and "?" not in asked.text:
        return [line]
    return [message_line(SectionKind.NEXT, f"{_offer(row)} then", asked, 0.966)._replace(essential=limits.earlier), line]


def ending(text: str, limit: int) -> str:
    """The last whole lines of a text within `limit` characters, at least its last sentence; of code that begins before them nothing, nor
    of a list, if something stands behind it."""
    lines = [f"{line.strip('# *')}:" if line.startswith("#") else line for line in map(str.strip, text.splitlines()) if line.strip("# ")]
    kept = fitting(lines[::-1], limit)[::-1]
    if 0 < len(kept) < len(lines) and _ITEM.match(lines[-len(kept) - 1]):
        kept = list(dropwhile(_ITEM.match, kept)) or kept
    fences = [place for place, line in enumerate(kept) if line.startswith(FENCE)]
    if len(fences) % 2:
        kept, fences = kept[fences[0] + 1 :], [place - fences[0] - 1 for place in fences[1:]]
    for first, last in reversed(list(zip(fences[::2], fences[1::2], strict=True))):
        if last - first > 2 and kept[first] == FENCE:  # a drawing, whose lines would run together
            kept = [*kept[:first], *kept[last + 1 :]]
    return one_line(" ".join(kept)) if kept else clip_said(one_line(lines[-1]), limit) if lines else ""


FENCE = "```"
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)]) \S")
_NODS = word_set("ok okay k thanks thank you thx cool nice great got it i see alright yes continue go on hm hmm sure perfect awesome good")


def nods(row: Request) -> bool:
    """Whether the words only lead on."""
    words = row.text.text.lower().strip().rstrip(".! ").replace(",", " ").split()
    return len(words) <= 4 and all(word in _NODS for word in words)


def _belongs_to(rows: Sequence[Request], knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """Beside a short request the one whose files it goes on with: "do it, and document the setting" says little by itself."""
    head, small = rows[0], len(rows[0].text.text)
    if not limits.earlier or len(head.text.text) > SAYS_LITTLE or knowledge.note is not None:
        return []
    files = {path for row in rows for path in row.files}
    before = exchange_before(knowledge.requests, head)
    leans = _leans(head) or _leans(rows[-1])
    began = in_work(knowledge.requests)[0] if head.continues else None
    begun = [row for row in reversed(knowledge.requests) if row.seq < head.seq and not row.continues and not _is_mere_paste(row)]
    begun = [row for row in begun if row is began or ((row.kind in _BEGIN_WORK or row.answers) and len(row.text.text) > LONGER)]
    for row in begun:
        if row is began or files & set(row.files) or (leans and row.files) or (row is begun[0] and _is_answer_to(head, row)):
            words = Quote(_beginning(row.text.text.replace(SETTLED, "")), row.text.ref)
            told = row is before or (row is not began and 2 * len(row.text.text) < small) or not words.text
            return [] if told else [message_line(SectionKind.NEXT, "belongs to", words, 0.93)]
    return []


def _is_mere_paste(row: Request) -> bool:
    """Whether the words of a request are no more than a line of what was pasted."""
    return bool(row.pasted) and normalise(row.text.text)[:BEGINS] in normalise(row.pasted)


def _leans(row: Request) -> bool:
    """Whether a request begins with a yes or a choice, or with a word that adds to something else or stands for it."""
    return acceptance(row.text.text) is not None or _STANDS_FOR.match(row.text.text.lower()) is not None


def _is_answer_to(head: Request, row: Request) -> bool:
    """Whether a request takes up the agent's last words of an earlier one: it begins with what these speak of."""
    words = content(next(iter(split(head.text.text)), head.text).text, WORDS)
    return row.outcome is not None and bool(words) and TAKEN_UP * len(words) <= len(set(words) & set(content(row.outcome.text, MANY)))


def _beginning(text: str) -> str:
    """The first whole lines of a text as far as a glance goes, up to its second heading; at least a part of the first; empty
    where nothing but marks is in it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    headings = [place for place, line in enumerate(lines) if line.startswith("#")]
    words = [line.lstrip("# ") for line in lines[: headings[1] if len(headings) > 1 else None]]
    first = next(filter(None, words), "")
    return one_line(" ".join(fitting(words, WORK_AT_A_GLANCE))) or clip_said(one_line(first), WORK_AT_A_GLANCE)


def _not_opened(rows: Sequence[Request], knowledge: Knowledge) -> list[Candidate]:
    """The files named in the request that nobody opened since."""
    paths = not_opened(rows, knowledge.files)
    if not paths:
        return []
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return [detail_line(SectionKind.NEXT, "not opened", f"{', '.join(paths[:NAMED])}{more}", rows[-1].seq, 0.94)]
