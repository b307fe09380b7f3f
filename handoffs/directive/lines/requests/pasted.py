"""What the person pasted beside the request in work, as a line."""

from __future__ import annotations

from continuity.knowledge.model import Request
from continuity.knowledge.requests.outline import leads_in
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.message_lines import detail_line
from handoffs.directive.lines.quoting import as_data
from handoffs.directive.lines.wording import CLIP, clip, one_line

WORTH = 0.974
BETWEEN = " / "  # lines of a paste


def pasted_candidates(head: Request, limits: LineLimits) -> list[Candidate]:
    """In one line; below words that only lead in to it, "This is the error:", all that is kept of it, with shorter forms."""
    if not head.pasted.strip():
        return []
    words, room = one_line(head.pasted), limits.quote * 2
    short = as_data(beginning_of_paste(words, room))
    if not leads_in(head.text.text) or not limits.earlier or len(words) <= room:
        return [detail_line(SectionKind.NEXT, "pasted", short, head.seq, WORTH)]
    line = detail_line(SectionKind.NEXT, "pasted", as_data(beginning_of_paste(words, max(room, limits.block))), head.seq, WORTH)
    return [line._replace(shorter=(short, as_data(beginning_of_paste(words, limits.quote))))]


def beginning_of_paste(pasted: str, room: int) -> str:
    """The first lines of what was pasted within about `room` characters, which say why, each whole; of a longer one its two ends."""
    first, *rest = one_line(pasted).split(BETWEEN)
    if len(first) > room:
        return clip(one_line(pasted), room)
    for each in rest:
        if len(first) + len(each) + len(BETWEEN) > room:
            return f"{first}{BETWEEN}{CLIP}"
        first = f"{first}{BETWEEN}{each}"
    return first
