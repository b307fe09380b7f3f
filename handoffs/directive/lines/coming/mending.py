"""What fails and is to be mended, in few words: the tests and places, and what the agent said of the cause."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.evidence import Failure
from continuity.knowledge.model import Knowledge
from continuity.knowledge.requests.gist import without_announcements
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.directive.lines.quoting import as_data, as_name, within_quotes
from handoffs.directive.lines.wording import clip_said, one_line

MEND = "Mend {}"
WHAT_FAILS = "what makes `{}` fail"
SAYS_WHY = " — the agent said: “{}”"
AT = " at "
_PLACE = re.compile(r"(?P<path>[^:]+)(?P<line>:\d+)?(?::\d+)?$")
NAMED, NAME, WHY = 3, 100, 240  # failures that are named, characters of each, and of the cause


def mending_words(failing: Sequence[Failure], command: str, knowledge: Knowledge) -> str:
    """The failures by name and place; of those without either, why; where none is known, the command that fails."""
    open_ones = [each for each in failing if not each.stale]
    named = list(dict.fromkeys(filter(None, map(_named, open_ones))))
    more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
    what = f"{', '.join(named[:NAMED])}{more}" if named else WHAT_FAILS.format(command) if command else ""
    why = _cause(open_ones, knowledge)
    return f"{MEND.format(what)}{SAYS_WHY.format(why) if why else ''}" if what else ""


def _named(failure: Failure) -> str:
    name = failure.test.strip() or ("" if failure.at else failure.cause.strip())
    place = _PLACE.match(failure.at)
    at = f"{place['path'].rsplit('/', 1)[-1]}{place['line']}" if place else failure.at
    return AT.join(filter(None, (as_data(clip_said(one_line(name), NAME)) if name else "", as_name(at))))


def _cause(failing: Sequence[Failure], knowledge: Knowledge) -> str:
    """What the agent said since of a name that the failures speak of, where it said it last."""
    names = {term for each in failing for term in terms_in(f"{each.test} {each.cause}") if is_name(term)}
    names |= {term.rpartition(".")[2] for term in names}
    since = min((each.seq for each in failing), default=0)
    rows = in_work(knowledge.requests)
    said = [quote for row in rows for quote in (*row.told, *((row.outcome,) if row.outcome else ())) if quote.ref.seq > since]
    for quote in sorted(said, key=lambda each: -each.ref.seq):
        for sentence in sentences_of(without_announcements(quote.text)):
            if names & set(terms_in(sentence)):
                return within_quotes(clip_said(one_line(sentence), WHY))
    return ""
