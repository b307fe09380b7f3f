"""The history as lines: what the user said, oldest first, each with what came of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from continuity.knowledge.evidence import CodeExcerpt
from continuity.knowledge.extractors.tools.commands import without_filters
from continuity.knowledge.language.clip import beginning
from continuity.knowledge.language.reply_structure import finds_out
from continuity.knowledge.model import Knowledge, Quote, Request, RequestKind, Situation
from continuity.knowledge.requests.excerpt import tells, without_closing_question, without_outdated
from continuity.knowledge.requests.gist import gist, only_announces, without_announcements, without_last_announcement
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.outline import leads_in
from continuity.knowledge.requests.overtaken import SETTLED
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LITTLE, LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.blocks import block, outlined
from handoffs.directive.lines.checks import PASSED, runs
from handoffs.directive.lines.delivery import commit_words
from handoffs.directive.lines.goal import chosen_line, is_reply, nods, told_with_goal
from handoffs.directive.lines.message_lines import NEARLY, message_line, noted_through, retold_by_note
from handoffs.directive.lines.quoting import as_data
from handoffs.directive.lines.request_steps import steps_line
from handoffs.directive.lines.requests.pasted import beginning_of_paste
from handoffs.directive.lines.requests.so_far import heading, work_words
from handoffs.directive.lines.reruns import mended
from handoffs.directive.lines.wording import CLIP, CODE, normalise, one_line
from handoffs.directive.past.parts import is_of_commit
from handoffs.directive.past.reports import answered, comes_to, in_one_line, names_of, without_told_later

BEGINNING = 120  # characters of a message that is told elsewhere
NOD = 32  # characters of an answer that only says that it was heard
ANSWER = 60  # characters of an answer that says little without its question
WHOLE = 480  # characters up to which a person's words stand whole, where there is room for a history
OPENING, OPENS = 1100, 6  # characters of what a document of the person's begins with, and times the room of a message
_TELLS_PASSED = re.compile(r"\bpass(?:e[sd]|ing)?\b|\b0 issues\b|\bclean\b", re.I)
PASTED, WITH_PASTE = 260, 160  # characters of what a person pasted beside words, and of the words that say little without
REMARK = 240  # characters of words that only lead on
FULL, HALF = 2, 9  # rows of the history, the latest, that are told at length, and at half of it
ASKED = 0.9  # what an answered question is worth beside other words of the person
# What a message of the person is worth, and where the budget leaves each less than LITTLE characters; CUT is its share where it is cut.
SAID, SAID_SHORTLY, CUT = 2.0, 1.2, 0.5
# What came of it: the agent's words, the steps, files and commits; where there is little room, what a person stated goes first.
CAME, STEPS, WORK, FOUND, SHORTLY = 1.7, 1.4, 1.3, 0.9, 0.55
SENTENCES = 2  # of what was found out on the way
FINDING = 60  # characters of what was found out on the way, fewer of which say nothing
FILES_NAMED = 5
STOPPED = "stopped by the user"  # of a request of which the agent said nothing any more
_DATA = '{"'  # nobody reads it
_LISTED = re.compile(r"\s*(?:[-*+•>|#`]|\d{1,2}[.)])")  # a line of a list, a table, code or a heading
_MORE = re.compile(r"… (\d{1,4}) more\b")
_ID = re.compile(r"[0-9a-f]{7}(?=[0-9a-f]*\b)")  # by which a commit is named
# What was found out for all questions is told within so many times the room of one, each by its age, and in no less than LEAST characters.
TOGETHER, LEAST = 9, 200
AGES = {3: 1.6, 2: 0.6, 1: 0.5}  # of the room of an answer, by the share of its row
IN_ONE_LINE = 260  # characters of what came of a request that was carried out and that the one in work doesn't build on
OUTDATED = 180  # characters of an answer about code that was changed since
BUILT_ON = 2  # requests whose reports are told at length: those that the request in work builds on, the latest
NAMES = 2  # that a report shares with the request in work, from which that builds on it
LATELY, LATE_REPORT = 3, 900  # requests, the latest, of whose reports more is told where room is left, and characters of that
ANSWER, GROWN, REPORT = 560, 760, 1600  # characters of an answer, of one where room is left, and of a report that is built on
PASSING = frozenset((RequestKind.QUESTION, RequestKind.REMARK))  # what is over, where the agent's note tells how the work came here
SHORTER = (0.6, 0.35)  # of its room, where an answer finds less
FRAGMENT = 120  # characters of a cut answer, fewer of which say nothing without the rest


def history_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """A line for each message of the user before the request in work, and one for what came of it: what was carried out in one line,
    unless the request in work builds on it, and what was found out in some. What led to the request is told with that."""
    rows = knowledge.requests if limits.earlier else ()
    elsewhere, now = told_with_goal(knowledge), {row.seq for row in heading(in_work(knowledge.requests))}
    small = limits.row < LITTLE
    made = [each.seq for each in knowledge.situation.made]
    shares = [
        3 if age <= FULL or any(row.seq <= seq <= row.last_seq for seq in made) else 2 if age <= HALF else 1
        for age, row in enumerate(rows[::-1])
    ]
    found: list[Candidate] = []
    share = SHORTLY if small else 1.0
    noted = noted_through(knowledge)
    retold = retold_by_note(knowledge)
    room_of = _rooms(knowledge, rows, shares, limits)
    refusals = {each.seq for each in knowledge.situation.refusals}
    latest = rows[::-1]
    for age, (row, after) in enumerate(zip(latest, (None, *latest), strict=False)):
        late = 1.0 - age / max(len(rows), 1)
        longer = shares[age]
        by_note = 0 < row.seq <= noted and (row.kind in PASSING or retold.states(row.text.text))
        told = row.seq in (elsewhere if small else now) or by_note
        told = told or (not (row.tells or row.files or row.commits) and _is_sent_again(row, latest[:age]))
        worked = row.files or row.commits  # then a nod says where this work began
        # What led to the request is told before the history, which needs its words only where they head what was done.
        told = told or (row.seq in elsewhere and not (worked or row.steps))
        is_said = bool(row.text.text.strip()) and not (nods(row) and (not worked or row.seq in elsewhere)) and not told
        if is_said:
            opening = 0 if small else min(OPENING, OPENS * limits.row)
            line = _said(
                row,
                limits.row * (longer if not small or age <= FULL else 1),
                late,
                SAID_SHORTLY if small else SAID,
                lately=age <= FULL,
                opening=opening,
            )
            found.append(_shortly(line) if row.seq in elsewhere else line)
            found += [] if small else chosen_line(SectionKind.RECENT, row, knowledge, CAME * (0.7 + 0.3 * late))
        if row.seq in now or 0 < row.last_seq <= noted:
            continue
        came: list[Candidate] = []
        worth = share * (0.7 + 0.3 * late)
        if row.outcome is not None and row.seq not in elsewhere and not _only_announced(row):
            met = after is not None and after.seq in refusals  # what the agent was about to do with these words was refused
            later = [each.outcome.text for each in latest[:age] if each.outcome is not None and each.seq not in now]
            came = [] if met else _came(row, after, room_of[row.seq], worth, later, grows=age <= LATELY, lately=longer == max(AGES))
        came += _found_out(row, worth)
        if not came and row.seq not in elsewhere and (row.outcome is None or len(row.outcome.text) < REMARK):
            came = _reported(row, limits.outcome, worth)
        found += came
        is_told = bool(came) or row.seq in elsewhere
        if not is_told:
            found += steps_line(SectionKind.RECENT, row.steps, limits.outcome, STEPS * share * (0.8 + 0.2 * late), seq=row.last_seq)
        if not _is_told_by_parts(row, knowledge.situation):
            said = "\n".join(line.item.text for line in came)
            found += (
                []
                if row.seq in elsewhere and row.tells
                else _work(row, worth, knowledge.situation, said, is_told=is_told, is_said=is_said, lately=age <= HALF)
            )
    return found


def _is_sent_again(row: Request, later: Sequence[Request]) -> bool:
    """Whether the person said the same again later, as after an interruption, perhaps with more behind it."""
    words = normalise(row.text.text)
    return len(words) >= NOD and any(normalise(each.text.text).startswith(words) for each in later)


def _rooms(knowledge: Knowledge, rows: Sequence[Request], shares: Sequence[int], limits: LineLimits) -> dict[int, int]:
    """The characters in which what came of each row is told: of an answer some lines, by its age, and of a report those of a block where
    the request in work builds on it, else one line. Where all of them are short they are told in their own words."""
    elsewhere = told_with_goal(knowledge)
    ended = [(row, share) for row, share in zip(rows[::-1], shares, strict=True) if row.outcome is not None and row.seq not in elsewhere]
    outdated = {row.seq: OUTDATED for row, _ in ended if _is_outdated(row, rows)}
    if sum(len(row.outcome.text) for row, _ in ended if row.outcome is not None) <= limits.block:
        return dict.fromkeys((row.seq for row, _ in ended), limits.block) | outdated
    asked = sum(AGES[share] for row, share in ended if not _carried_out(row))
    most = limits.outcome * min(1.0, TOGETHER / max(asked, 1.0))
    rooms = {
        row.seq: min(IN_ONE_LINE, limits.outcome) if _carried_out(row) else max(LEAST, min(ANSWER, int(most * AGES[share])))
        for row, share in ended
    }
    rooms |= outdated
    before = sum(1 for row in rows if row.seq in elsewhere and row.tells and row.seq not in {each.seq for each in in_work(rows)})
    long = [row for row, _ in ended if _carried_out(row) and row.outcome is not None and len(row.outcome.text) > IN_ONE_LINE]
    for row in _built_on(long, knowledge)[: max(BUILT_ON - before, 0)]:
        rooms[row.seq] = max(limits.outcome, min(REPORT, limits.block * 2 // 3))
    return rooms


def _is_outdated(row: Request, rows: Sequence[Request]) -> bool:
    """Whether an answer is about a file that was changed since."""
    later = {path.rsplit("/", 1)[-1] for each in rows if each.seq > row.seq for path in each.files}
    words = row.outcome.text if row.outcome is not None else ""
    return not _carried_out(row) and any("." in name and name in words for name in later)


def _carried_out(row: Request) -> bool:
    return bool(row.files or row.commits)


def _built_on(done: Sequence[Request], knowledge: Knowledge) -> list[Request]:
    """Those of the requests, the latest first, that the one in work builds on: it is about their files, or names what they reported."""
    rows = in_work(knowledge.requests)
    said = [quote.text for row in rows for quote in (row.text, *row.told, *((row.outcome,) if row.outcome else ()))]
    said += [step.said for row in rows for step in row.steps]
    said += [each.text for each in (knowledge.situation.next_step, *knowledge.situation.looking, *knowledge.situation.unanswered) if each]
    said += [row.pasted for row in rows]
    names = names_of("\n".join(said))
    files = {path.rsplit("/", 1)[-1] for row in rows for path in row.files} | {each.path.rsplit("/", 1)[-1] for each in _read(knowledge)}
    text = "\n".join(said)

    def is_about(row: Request) -> bool:
        own = {path.rsplit("/", 1)[-1] for path in row.files}
        shared = names & names_of(row.outcome.text) if row.outcome else frozenset()
        return bool(own & files) or any(name in text for name in own) or len(shared) >= NAMES

    return [row for row in done if row.tells and is_about(row)]


def _read(knowledge: Knowledge) -> Sequence[CodeExcerpt]:
    """Code that was read for the request in work."""
    first = in_work(knowledge.requests)[0].seq if knowledge.requests else 0
    return [each for each in knowledge.situation.excerpts if each.seq >= first]


def _only_announced(row: Request) -> bool:
    """Whether the agent's words only say what comes next, or that the person was heard."""
    words = row.outcome.text if row.outcome else ""
    nodded = len(words) < NOD and row.kind is not RequestKind.QUESTION and not any(sign.isdigit() or sign == "`" for sign in words)
    return not (row.interrupted or row.files or row.commits) and (nodded or (not row.tells and len(words) < REMARK))


def _said(row: Request, limit: int, late: float, said: float, *, lately: bool, opening: int) -> Candidate:
    label = "carried" if row.kind is RequestKind.SUMMARY else "user"
    asked = ASKED if row.kind is RequestKind.QUESTION and row.outcome is not None else 1.0
    grows = lately if said == SAID_SHORTLY else limit >= LITTLE  # where there is little room, only the latest stand whole
    room = max(limit, WHOLE) if len(row.text.text) <= WHOLE and grows else limit
    room = max(room, len(row.text.text)) if len(row.text.text) <= room * NEARLY and limit >= LITTLE else room
    text = gist(row.text.text, 5 * limit) if label == "carried" else outlined(row.text.text, room, opening=opening)
    if row.pasted.strip() and _DATA not in row.pasted:
        if leads_in(text):  # it says nothing without the paste below it
            text = f"{text} {as_data(beginning_of_paste(row.pasted, PASTED))}" if lately else text
        elif limit >= LITTLE and len(text) <= WITH_PASTE and row.text.text not in row.pasted:
            text = f"{text} (pasted with it: {as_data(beginning_of_paste(row.pasted, PASTED))})"
    text = text.replace(SETTLED, "")
    if row.command and row.command not in text:
        text = f"{row.command} {text}"
    cut = CUT if limit < LITTLE and CLIP in text and asked == 1.0 else 1.0
    worth = (0.95 if label == "carried" else said) * (0.8 + 0.2 * late) * asked * cut
    line = message_line(SectionKind.RECENT, label, Quote(text, row.text.ref), worth)
    outline = block(outlined(row.text.text, room)) if opening and label == "user" else line.item.text
    return line._replace(shorter=(outline,)) if len(outline) < len(line.item.text) else line


def _shortly(line: Candidate) -> Candidate:
    """The beginning of the person's words, where the section before the history tells them."""
    words = one_line(line.item.text)
    return line if len(words) <= BEGINNING else line._replace(item=line.item._replace(text=f"{beginning(words, BEGINNING)} {CLIP}"))


def _came(
    row: Request, after: Request | None, limit: int, share: float, later: Sequence[str], *, grows: bool, lately: bool
) -> list[Candidate]:
    """What came of a request within `limit` characters; in one line of which more is told where room is left, if it `grows`. Of an answer
    that was not given `lately` what it comes to."""
    if not row.outcome:
        return []
    worked, needed = _carried_out(row), _is_needed(row, after)
    short = worked and limit <= IN_ONE_LINE and not needed
    said = _said_of_it(row, after)
    said = without_told_later(said, later) if worked and not short else said
    if not said.strip():
        return []
    asked = row.kind is RequestKind.QUESTION
    words = (
        in_one_line(said, limit) if short else answered(said, limit, asked=asked, asking=needed, details=not worked) or gist(said, limit)
    )
    done = row.tells and worked and not row.check.endswith(" failed")
    concluded = "" if worked or lately or len(said) <= limit else comes_to(said, limit)  # no three items of a list of ten
    words = concluded or words
    label = "stopped" if row.interrupted else "made" if done else "agent said" if row.files else "agent"
    if not words.strip() or ((worked or row.check) and not any(map(tells, words.split("\n")))):
        return []
    line = message_line(SectionKind.RECENT, label, Quote(words, row.outcome.ref), CAME * share)
    if short:
        more = answered(said, LATE_REPORT, details=False) if grows else ""
        return [line._replace(fuller=(line.item._replace(text=block(more)),)) if len(more) > len(words) else line]
    fewer = (answered(said, int(limit * part), asked=asked, details=not worked) for part in SHORTER if len(words) > limit * part > LEAST)
    line = line._replace(shorter=() if concluded else tuple(block(each) for each in fewer if _says_enough(each)))
    more = answered(said, GROWN, asked=asked, asking=needed) if not worked and limit > OUTDATED else ""
    grown = (line.item._replace(text=block(more)),) if len(more) > len(words) else ()
    return [line._replace(fuller=grown)]


def _reported(row: Request, limit: int, share: float) -> list[Candidate]:
    """What the agent reported last on its way, where its last words say nothing."""
    for quote in row.told[::-1]:
        words = answered(without_announcements(without_outdated(quote.text)), limit)
        if len(words) >= FINDING and any(map(tells, words.split("\n"))):
            return [message_line(SectionKind.RECENT, "agent said", Quote(words, quote.ref), FOUND * share, seq=row.last_seq)]
    return []


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
        first = ((line, place) for line in said for place, sentence in enumerate(line) if finds_out(sentence) and not _only(line[place:]))
        line, place = next(first, ([], 0))
        words = without_announcements(" ".join(line[place : place + SENTENCES]))
        if len(words) >= FINDING and not words.rstrip(" *_`").endswith(":"):
            found.append(message_line(SectionKind.RECENT, "agent said", Quote(words, quote.ref), FOUND * share))
    return found


def _only(said: Sequence[str]) -> bool:
    """Whether the sentences that would be told only say that there is something."""
    return all(map(only_announces, said[:SENTENCES]))


def _is_needed(row: Request, after: Request | None) -> bool:
    """Whether the message `after` an answer says little without the question that the answer ends with."""
    if after is None:
        return False
    return (after.kind is RequestKind.ANSWER and len(after.text.text) <= ANSWER) or is_reply(after, row)


def _said_of_it(row: Request, after: Request | None) -> str:
    """The agent's words without what is over: those at their end that only announce what comes, what no longer holds, and the question at
    their end, unless a few words `after` it say nothing without it."""
    said, needed = row.outcome.text.rstrip() if row.outcome else "", _is_needed(row, after)
    words = without_outdated(said.removesuffix(SETTLED.strip()) if needed else said)  # the words after it settled the question
    if not needed:
        words = without_closing_question(words)
    return without_last_announcement(words)


def _is_told_by_parts(row: Request, now: Situation) -> bool:
    """Whether the parts of the work that commits closed tell all that came of a request."""
    parts = [part for part in now.parts if part.commits and part.title.strip() and row.seq <= part.seq <= part.last_seq <= row.last_seq]
    parts = [part for part in parts if not is_of_commit(part)]
    commits = {commit_words(each, now.branch) for part in parts for each in part.commits}
    files = {path for part in parts for path in part.files}
    return bool(parts) and all(commit_words(each, now.branch) in commits for each in row.commits) and files.issuperset(row.files)


def _work(row: Request, share: float, now: Situation, said: str, *, is_told: bool, is_said: bool, lately: bool) -> list[Candidate]:
    """Files and commits of a request in one line, but for those that `said` tells, and no files where it names some of them; and its last
    check. Not one that failed where anything else `is_told`, or that is over now; nor one that passed long before, or is told as the
    last."""
    commits = tuple(each for each in row.commits if not ((found := _ID.match(commit_words(each, now.branch))) and found[0] in said))
    names = (path.rsplit("/", 1)[-1] for path in row.files)
    named = any("." in name and name in said for name in names)
    shown = replace(row, commits=commits, files=() if named else row.files)
    passed = row.check.endswith(PASSED) and bool(row.files)
    is_last = now.verification is not None and row.seq <= now.verification.seq <= row.last_seq
    untold = passed and lately and not is_last and not _TELLS_PASSED.search(said)
    over = mended(row.check, row.last_seq, runs(now)) or (is_told and not untold)
    check = "" if over else CODE.sub(lambda found: f"`{without_filters(found[1])}`", row.check)
    check = f"{'checked:' if passed else 'last check'} {check}" if check else ""
    stopped = STOPPED if is_said and row.interrupted and row.outcome is None else ""
    told = "; ".join(words for words in (work_words(shown, now, files=FILES_NAMED), check, stopped) if words)
    return [message_line(SectionKind.RECENT, "work", Quote(told, row.text.ref), WORK * share, seq=row.last_seq)] if told else []
