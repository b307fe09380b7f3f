"""The agent's last words as lines: what it said last, what it reported before in the same turn, and where its last thought arrived."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from continuity.knowledge.evidence import PartState
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.numbered_items import items_named
from continuity.knowledge.language.reply_structure import finds_out, gives_reason
from continuity.knowledge.language.withdrawals import without_taken_back
from continuity.knowledge.model import Knowledge, Quote, Request, RequestKind, RequestStep
from continuity.knowledge.requests.excerpt import without_outdated
from continuity.knowledge.requests.gist import fitting, is_filler, only_announces, without_announcements
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.outline import is_item
from continuity.knowledge.requests.points import told_in
from continuity.knowledge.requests.weighing import option_preferred
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.blocks import block
from handoffs.directive.lines.checks import changed_files, runs
from handoffs.directive.lines.coming.announced import points_meant
from handoffs.directive.lines.coming.next_steps import announced_step, is_looked_up, with_subject
from handoffs.directive.lines.goal import ending
from handoffs.directive.lines.message_lines import fitted_line, message_line
from handoffs.directive.lines.request_steps import changes_began, is_carried_out, steps_line, with_what_was_done, without_nods
from handoffs.directive.lines.wording import CLIP, normalise, one_line
from handoffs.directive.past.errors import step_errors, telling
from handoffs.directive.past.reports import only_praises

FINDINGS = 2  # items from which a thought lists what it found
STEPS = 0.96  # what the steps of the work are worth
TELLING = 30  # characters of a step from which words that hold it are the same
LITTLE_MORE = 12  # characters beside the next step with which the last words say no more than it does
WORDIER = 4
NOTED = 0.3  # what the last thought is worth beside the agent's own note
FEW = 3  # steps beside parts of the work that are done, from which they tell more than these
REPORT = 160  # characters from which the agent's last words are a report
SAYS = 3  # words of content of what it told on the way, fewer of which say nothing
REPORTS = 5  # of what was told in the turn that lasts, the latest

_TURNS = re.compile(r"(?:actually|but|however|wait|hmm|no|on second thought)\b", re.I)
_AFTER = frozenset((RequestKind.GO_ON, RequestKind.PARTING))


def last_words_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """Lines of the turn that lasts. What ended an earlier turn belongs to the history."""
    rows = knowledge.requests
    if not rows:
        return []
    # After a mere "go on", or words that only part, the turn before is the one that lasts.
    first = next((n for n in range(len(rows) - 1, 0, -1) if rows[n].outcome is not None or rows[n].kind not in _AFTER), 0)
    working = in_work(rows)
    done = [step for row in working for step in row.steps]
    changed = [step for step in done if step.files]
    # What came of a part that is done stands with the part, what was done of a list with that, and what failed among the errors.
    parts = [part for part in knowledge.situation.parts if part.state is PartState.DONE and part.files]
    listed = max((part.last_seq for part in parts if part.seq >= rows[first].seq), default=0)
    lately = [replace(step, check="", cause="") for step in changed if step.seq > listed]
    helped = {step.said for error in step_errors(knowledge) for step in telling(error)}
    thought = knowledge.turns[-1].thought if knowledge.turns else None
    steps = [step.said.lower() for step in done if len(step.said) >= TELLING]
    closing, announced = _closing(rows[first].outcome, knowledge, bool(steps), thought)
    closed = normalise(closing.text) if closing is not None and not announced else ""  # what it says of a step stands there
    lately = [step for step in lately if step.said not in helped and not (step.said and normalise(step.said) in closed)]
    stepped = limits.earlier and len(lately) >= (FEW if listed else 1) and not _is_reported(rows[first:], changed)
    found = (
        steps_line(SectionKind.LAST, lately, limits.block // 2, STEPS, seq=0, among=[file.path for file in changed_files(knowledge)])
        if stepped
        else []
    )
    said = {
        one_line(quote.text): quote
        for row in rows[first:]
        for quote in row.told
        if not _leads_in(quote.text) and not _is_step(quote, steps) and not is_carried_out(quote, changed)
    }
    began = changes_began(in_work(rows))
    reported = _reports(rows[first], changed)
    told = sorted(said.values(), key=lambda quote: quote.ref.seq)[-REPORTS:]  # of equal ones the latest
    for number, quote in enumerate(told, start=1):
        # What is announced here is over: the agent spoke or worked on after it.
        words = _told(without_outdated(quote.text), limits.outcome * (2 if limits.earlier else 1))
        on_the_way = reported and changed and "\n" not in words and not finds_out(words)  # the report tells what came of it
        if len(content(without_nods(words), SAYS)) >= SAYS and not (on_the_way or only_praises(words)):
            label = "told before" if quote.ref.seq < began else "told"
            words = with_what_was_done(Quote(words, quote.ref), changed)
            found.append(message_line(SectionKind.LAST, label, Quote(words, quote.ref), 0.45 + 0.3 * number / len(told)))
    spoken = thought is not None and (thought.ref.seq < last_spoken(knowledge) or _is_step(thought, steps))
    if thought is not None and limits.earlier and not spoken and not (_was_carried_out(thought, knowledge) or _is_next(thought, knowledge)):
        room = max(2 * limits.outcome, limits.block * 2 // 3)
        words = "\n".join(
            filter(
                None, (_option(knowledge), _arrived(block(_before_next(without_taken_back(thought.text, thought=True), knowledge)), room))
            )
        )
        worth = 0.65 if knowledge.note is None else NOTED
        found.append(message_line(SectionKind.LAST, "thought", Quote(words, thought.ref), worth))
    if closing is not None and closing.text.strip() and not announced:
        found.append(fitted_line(SectionKind.LAST, "last words", closing, limits.block, 0.95, essential=limits.earlier, report=True))
    return found


def _told(text: str, room: int) -> str:
    """What the agent said on the way, without what it announced; but with the last sentence where the words turned round before it: that
    is what it chose."""
    said = sentences_of(text.rstrip().rsplit("\n", 1)[-1])
    chose = said[-1] if said and is_filler(said[-1]) and gives_reason(said[-1]) and any(map(_TURNS.match, said[:-1])) else ""
    told = told_in(without_announcements(text), room - len(chose))
    return " ".join(filter(None, (told, chose)))


def _closing(closing: Quote | None, knowledge: Knowledge, stepped: bool, thought: Quote | None) -> tuple[Quote | None, bool]:
    """What the agent said last, without what is done of it if the rest says something; and whether it only announces what another line
    tells."""
    step = knowledge.situation.next_step
    if closing is None or step is None:
        return closing, closing is not None and ((stepped and _leads_in(closing.text)) or _points_to(closing, thought))
    if is_looked_up(step, knowledge) and step.text in closing.text and not is_filler(closing.text):
        left = closing.text.replace(step.text, "").rstrip()
        rest = replace(closing, text=left)
        return (rest if len(content(left, SAYS)) >= SAYS else closing), _points_to(rest, thought)
    more = closing.text.replace(with_subject(step, in_work(knowledge.requests)).text, "") if step.text in closing.text else None
    says_no_more = more is not None and len(without_announcements(more)) < LITTLE_MORE
    return closing, says_no_more or _leads_in(closing.text) or _points_to(closing, thought)


def _points_to(closing: Quote, thought: Quote | None) -> bool:
    """Whether words only say that there is something of which the thought tells."""
    return thought is not None and only_announces(closing.text)


def _option(knowledge: Knowledge) -> str:
    """Which of the options of the request the agent preferred in its thoughts since."""
    asked = "\n".join(row.text.text for row in in_work(knowledge.requests)).lower()
    preferred = [(quote.text, option_preferred(quote.text)) for quote in knowledge.turns[-1].weighed]
    return next((words for words, mark in reversed(preferred) if mark and re.search(rf"\({mark}\)|\boption {mark}\b", asked)), "")


def _before_next(thought: str, knowledge: Knowledge) -> str:
    """A thought without the next step that it ends with, if something stands before that."""
    announced = announced_step(knowledge)
    before = thought.rstrip().removesuffix(announced[0].text).rstrip() if announced else ""
    return before or thought


def _is_next(thought: Quote, knowledge: Knowledge) -> bool:
    """Whether the next step says all that a thought does, or is told with its list."""
    announced = announced_step(knowledge)
    if announced is None:
        return False
    meant = points_meant(announced[0], knowledge)
    return normalise(announced[0].text) == normalise(thought.text) or (meant is not None and meant[0] == thought)


def _was_carried_out(thought: Quote, knowledge: Knowledge) -> bool:
    """Whether files were changed and a check ran after a thought: what it set out is done."""
    changed = max((file.last_seq for file in changed_files(knowledge)), default=0)
    return changed > thought.ref.seq and any(run.seq > thought.ref.seq for run in runs(knowledge.situation))


def _reports(row: Request, changed: Sequence[RequestStep]) -> bool:
    """Whether the agent's last words report what was done, after all changes."""
    closing = row.outcome
    after = closing is not None and row.tells and closing.ref.seq > max((step.seq for step in changed), default=0)
    return closing is not None and after and len(closing.text) >= REPORT


def _is_reported(rows: Sequence[Request], changed: Sequence[RequestStep]) -> bool:
    """Whether the agent's words tell what was changed: a report at the end, or a list with what was done of its points and nothing else."""
    of_list = all(map(items_named, (step.said for step in changed)))
    listed = of_list and any(with_what_was_done(quote, changed) != quote.text for row in rows for quote in row.told)
    return listed or _reports(rows[0], changed)


def _arrived(thought: str, room: int) -> str:
    """A thought whole; of a longer one what it found as a list, or the first line, which often says what it takes back, and its end."""
    lead, _, rest = thought.partition("\n")
    if rest.strip() and "`" not in lead and len(content(without_announcements(lead), SAYS + 1)) <= SAYS:
        thought = rest.lstrip("\n")  # "Now I see! Let me look at the key parts:", where no name says how
    if len(thought) <= room:
        return thought
    first = thought.split("\n", 1)[0]
    lines = [line for line in thought.split("\n") if line.strip()]
    items = [place for place, line in enumerate(lines) if is_item(line.strip())]
    if len(items) >= FINDINGS:
        found = fitting([*([first] if items[0] else []), *(lines[place].strip() for place in items)], room * 2 // 3)
        first = "\n".join(found) or first
        return f"{first}\n{CLIP}\n{ending(thought, room - len(first))}"
    return ending(thought, room) if len(first) > room // 3 else f"{first}\n{CLIP}\n{ending(thought, room - len(first))}"


def last_spoken(knowledge: Knowledge) -> int:
    """The message in which the agent last said something of the work in hand, or its beginning: what it thought before that was a step on
    the way, and its words tell where that led."""
    rows = in_work(knowledge.requests)
    said = [step.seq for row in rows for step in row.steps] + [quote.ref.seq for row in rows for quote in row.told]
    return max([row.seq for row in rows] + said, default=0)


def _is_step(quote: Quote, steps: list[str]) -> bool:
    """Whether words say little more than a step of the work."""
    words = one_line(quote.text).replace("**", "").lower()
    return any(said in words and len(words) < WORDIER * len(said) for said in steps)


def _leads_in(text: str) -> bool:
    """Whether words only say what comes next."""
    lines = [line for line in text.splitlines() if line.strip()]
    return is_filler(text) or all(line.rstrip(" *_`").endswith((":", "---")) for line in lines)
