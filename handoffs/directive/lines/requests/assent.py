"""What a short yes agrees to where the agent asked nothing: the last sentence before it that proposes something."""

from __future__ import annotations

import re

from continuity.knowledge.language.acceptance import acceptance
from continuity.knowledge.model import Quote, Request
from continuity.knowledge.requests.gist import stands_for
from continuity.knowledge.requests.overtaken import SETTLED
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.directive.lines.wording import clip_said, one_line

ROOM = 360
REST = 2  # words behind the yes from which it says for itself what is to be done
_PROPOSES = re.compile(
    r"\b(?:you|we|I) (?:can|could|should|might|may)(?: \w+)? (?!see|be sure|say)\w+"
    r"|\bI(?:['’]d| would) (?:recommend|suggest|propose|go with|do)\b"
    r"|\b(?:my |the )?(?:recommendation|suggestion|proposal) (?:is|would be)\b|\bI (?:recommend|suggest|propose)\b|\blet['’]s\b",
    re.I,
)


def agreed_to(row: Request, before: Request | None) -> Quote | None:
    """The proposal that a message says yes to and no more; None where it says more, or nothing was proposed."""
    accepted = acceptance(row.text.text)
    if accepted is None or not accepted.firm or accepted.choices or len(accepted.rest.split()) > REST:
        return None
    if before is None or before.outcome is None or not before.tells:
        return None
    said = before.outcome.text.replace(SETTLED, "")
    sentences = [one_line(each).strip() for line in said.splitlines() for each in sentences_of(line)]
    for place in range(len(sentences) - 1, -1, -1):
        if _PROPOSES.search(sentences[place]):
            lead = f"{sentences[place - 1]} " if place and stands_for(sentences[place]) else ""
            words = f"{lead}{sentences[place]}"
            return Quote(clip_said(words if len(words) <= ROOM else sentences[place], ROOM), before.outcome.ref)
    return None
