"""What the agent found out before about what the request in work names."""

from __future__ import annotations

import re

from continuity.knowledge.coverage.terms import terms_in
from continuity.knowledge.language.content_words import content
from continuity.knowledge.model import Knowledge, RequestState
from continuity.knowledge.requests.excerpt import tells
from continuity.knowledge.requests.gist import without_announcements
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.outline import is_item
from continuity.knowledge.requests.whole_sentences import asks, sentences_of
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.message_lines import detail_line
from handoffs.directive.lines.quoting import as_data
from handoffs.directive.lines.wording import clip_said, normalise, one_line
from handoffs.directive.past.reports import CODE_NAME, names_of

LABEL = "learned"
NAME, LINE = 4, 260  # letters of a name, and characters of a sentence
MOST, WORTH = 2, 0.8  # sentences, and what they are worth
_FAULT = re.compile(r"\b(?:does|do|did|is|are|was|were|has|have)(?:n't| not)\b|\b(?:missing|bug|wrong|never|fails?|issue|problem)\b", re.I)
SAYS = 3  # words of content, fewer of which say nothing


def about_the_request(knowledge: Knowledge) -> list[Candidate]:
    """What the agent found out before about a file or a symbol that the request in work names: the latest sentences that say so, unless
    the file was changed since. The request may be about something that no other line tells of."""
    rows = in_work(knowledge.requests)
    names = [name for row in rows for name in names_of(row.text.text) if len(name) >= NAME]
    working = {row.seq for row in rows}
    before = [row for row in knowledge.requests if row.seq not in working]
    changed = {path.rsplit("/", 1)[-1]: step.seq for row in knowledge.requests for step in row.steps for path in step.files}
    found: dict[str, Candidate] = {}
    for said_in, quote in ((row, quote) for row in before for quote in row.told):
        mended = said_in.state is RequestState.DONE and any(step.files and step.seq > quote.ref.seq for step in said_in.steps)
        for sentence in (each for line in quote.text.split("\n") if not is_item(line.strip()) for each in sentences_of(line)):
            words = without_announcements(sentence)
            own = terms_in(words)
            named = [name for name in names if name in own and changed.get(name, 0) < quote.ref.seq]
            others = [term for term in own if term not in names and CODE_NAME.search(term)]
            if mended and _FAULT.search(words):
                continue  # it was so before the work was done
            if named and others and not asks(words) and len(content(words, SAYS)) >= SAYS and tells(words):
                line = detail_line(SectionKind.FACTS, LABEL, as_data(clip_said(one_line(words), LINE)), quote.ref.seq, WORTH)
                found[normalise(words)] = line._replace(words=words)
    return list(found.values())[-MOST:]
