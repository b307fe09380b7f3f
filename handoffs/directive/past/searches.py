"""What searches found, as lines: of many hits those that the agent's last words are about, and of the last ones the first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.extractors.outcomes.searches import BETWEEN, CAME, HITS
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.model import Knowledge, Quote
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.checks import changed_files
from handoffs.directive.lines.message_lines import detail_line
from handoffs.directive.lines.quoting import within_quotes
from handoffs.directive.lines.wording import one_line

SEARCHES, WORTH = 2, 0.01  # what only fills a budget is the first to go where there is less room
ABOUT, UNSEEN = 0.8, 0.7  # what one is worth that the last words are about, and one of which nothing was said so far
SHOWN = 8  # hits
NAME = 4  # letters of a name by which a hit is known
_WORD = re.compile(r"\w+")
_COUNT = re.compile(r"Found \d+ [\w ]{1,40}")
_PLACE = re.compile(r"\S+[./]\S*:\d+\b")


def searched(knowledge: Knowledge) -> list[Candidate]:
    """What searches for the request in work found, and before it is begun those for the one that it goes on from; not where a file
    was changed since, which shows that enough was found, nor what the failures of the last check tell of the same places."""
    rows = [row for row in knowledge.requests if row.seq > 0]
    first = working = in_work(knowledge.requests)[0].seq if rows else 0
    if len(rows) > 1 and knowledge.through_seq <= rows[-1].seq:
        first = rows[-2].seq
    changed = max((file.last_seq for file in changed_files(knowledge) if not is_scratch(file.path)), default=0)
    said, names = _last_words(knowledge)
    failing = " ".join(f"{each.at} " for each in knowledge.situation.failures)
    found: list[Candidate] = []
    for quote in knowledge.situation.searched[::-1]:
        if quote.ref.seq <= max(first, changed) or len(found) == SEARCHES:
            continue
        sought, _, came = quote.text.partition(CAME)
        hits = [hit for hit in came.split(BETWEEN) if not (_COUNT.fullmatch(hit) or _is_failing(hit, failing))]
        about = [hit for hit in hits if any(word.startswith(name) for word in _WORD.findall(hit) for name in names)]
        unseen = quote.ref.seq > said
        goes_on = quote.ref.seq > working and knowledge.situation.waiting is False
        many = hits if len(hits) <= HITS else [] if not goes_on else about or (hits if unseen else [])
        if not many:
            continue
        worth = WORTH if not goes_on else UNSEEN if unseen else ABOUT if about else WORTH
        found.append(_line(quote, sought, many, len(hits), worth / (1 + len(found))))
    return found


def _line(quote: Quote, sought: str, hits: Sequence[str], of: int, worth: float) -> Candidate:
    more = [f"… {of - SHOWN} more"] if len(hits) == of > SHOWN else []
    told = f"“{within_quotes(one_line(f'{sought}{CAME}{BETWEEN.join((*hits[:SHOWN], *more))}'))}”"
    return detail_line(SectionKind.LAST, "searched", told, quote.ref.seq, worth)


def _last_words(knowledge: Knowledge) -> tuple[int, frozenset[str]]:
    """The message of the agent's last words or thought for the request in work, and the names of code in them; none where it said
    nothing."""
    turn = knowledge.turns[-1] if knowledge.turns else None
    quotes = [each for each in (turn.thought, turn.answer) if each is not None] if turn else []
    names = (term for each in quotes for term in terms_in(each.text) if is_name(term) and "." not in term and "/" not in term)
    return max((each.ref.seq for each in quotes), default=0), frozenset(name for name in names if len(name) >= NAME)


def _is_failing(hit: str, failing: str) -> bool:
    place = _PLACE.match(hit)
    return place is not None and (f"{place[0]}:" in failing or f"{place[0]} " in failing)
