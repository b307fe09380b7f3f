"""What an agent claimed, or a result showed, that says too little by itself, or is over: no line tells it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.language.reply_structure import announces, supposes
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.model import Anchor, AnchorType, FileTouch, Truth
from continuity.knowledge.requests.gist import is_filler, is_torn, without_announcements
from continuity.knowledge.requests.kinds import tells_trouble
from continuity.knowledge.requests.whole_sentences import asks
from handoffs.directive.lines.request_steps import nods
from handoffs.directive.lines.wording import normalise
from handoffs.directive.past.reports import OF_TESTS, only_praises

CAUSE = "fact.cause"  # the method of what an agent says of why something is so
# What was only seen, as a suspicion; and what was said of something in words before it.
_SPOTS = re.compile(
    r"(?:(?:wait|hm+|but|oh)[,. –—-]+)*i (?:see|notice|think there(?:'s| is)) (?:an?|another) (?:\w+ )?(?:issue|problem|bug)\b", re.I
)
_OF_ANOTHER = re.compile(r"(?:to|for|by|in|after|before|because of|with) (?:\w+ )?(?:this|that|it|these|those),", re.I)


def says_nothing(anchor: Anchor) -> bool:
    """Whether what no person said says little without what stood around it: it is torn, a row of a table, or asks what the agent looks
    up."""
    if anchor.truth is Truth.OBSERVED:
        return anchor.type is AnchorType.FACT and (is_torn(anchor.text) or _OF_ANOTHER.match(anchor.text) is not None)
    if is_torn(anchor.text) or anchor.text.lstrip().startswith(("|", "—", "–")):
        return True
    words = without_announcements(anchor.text)
    return anchor.type is AnchorType.FACT and (not words or asks(words))


def says_little(anchor: Anchor) -> bool:
    """Whether an agent's claim praises its work, or says what a test of it is for: the files tell that."""
    little = only_praises(anchor.text) or OF_TESTS.match(anchor.text) is not None
    return little and anchor.truth is Truth.CLAIMED and not anchor.critical


def is_mended(anchor: Anchor, checked: int, changed: Sequence[int]) -> bool:
    """Whether an anchor tells of trouble, files were changed after it, and what checks them passed since, in message `checked`."""
    if anchor.critical or anchor.truth is Truth.STATED or not any(anchor.ref.seq < seq <= checked for seq in changed):
        return False
    return anchor.type is AnchorType.ERROR or (anchor.type is AnchorType.FACT and tells_trouble(anchor.text))


def is_of_older_file(anchor: Anchor, modified: Sequence[FileTouch]) -> bool:
    """Whether a claim says what was wrong with one of the `modified` files that was changed since, where nothing fails."""
    if anchor.type is not AnchorType.FACT or anchor.truth is not Truth.CLAIMED or anchor.critical:
        return False
    if not (anchor.method == CAUSE or tells_trouble(anchor.text)):
        return False
    return any(file.last_seq > anchor.ref.seq and file.path.rsplit("/", 1)[-1] in anchor.text for file in modified if anchor.ref.seq > 0)


def is_step(anchor: Anchor, stepped: Sequence[str]) -> bool:
    """Whether a claim is what the agent said before it changed files: the step tells it, with what came of it."""
    return anchor.truth is Truth.CLAIMED and not anchor.critical and any(normalise(anchor.text) in said for said in stepped)


def is_found_out(anchor: Anchor) -> bool:
    """Whether an agent's claim tells how something is, or what failed."""
    found_out = anchor.type in (AnchorType.FACT, AnchorType.FAILED_APPROACH) and not nods(anchor.text)  # to what was just seen
    if _SPOTS.match(anchor.text) or (anchor.type is AnchorType.FACT and is_request(anchor.text)):
        return False  # a suspicion that the agent went on to look into, or a step of its plan
    return found_out and not (supposes(anchor.text) or announces(anchor.text) or is_filler(anchor.text))
