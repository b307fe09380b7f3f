"""A list in the user's words is told whole: an item of it by itself hides that there were others, and often the one that matters."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.knowledge.model import Knowledge
from continuity.knowledge.requests.outline import is_item
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.wording import normalise

SAID = "person said"
LONG = 600  # characters up to which a list is told for the sake of one item
LEAD = 160  # of the line that leads in to it
KNOWN_BY = 40  # characters by which an item is known in its message

Run = tuple[int, int, str]


def with_whole_lists(candidates: Sequence[Candidate], knowledge: Knowledge) -> list[Candidate]:
    """The candidates, where the first that is an item of a short list in a message of the user tells all of it. The others are left to be
    held by it (`duplicates`)."""
    texts = {row.seq: (row.text.ref.start or 0, row.text.text) for row in knowledge.requests}
    runs: dict[tuple[int, int], float] = {}
    found: list[tuple[Candidate, Run | None]] = []
    for each in candidates:
        run = _run(each, *texts[each.item.seq]) if _is_said(each) and each.item.seq in texts else None
        found.append((each, run))
        if run is not None:
            at = each.item.seq, run[0]
            runs[at] = max(runs.get(at, 0.0), each.item.importance)
    told: list[Candidate] = []
    for each, run in found:
        worth = runs.pop((each.item.seq, run[0]), None) if run is not None else None
        if run is not None and worth is not None:
            item = each.item._replace(text=run[2], importance=worth)
            each = each._replace(item=item, words=run[2], start=run[1], shorter=())
        told.append(each)
    return told


def _is_said(candidate: Candidate) -> bool:
    return candidate.kind is SectionKind.RECENT and candidate.item.label == SAID and not candidate.item.critical


def _run(candidate: Candidate, begins: int, text: str) -> Run | None:
    """The place of the first item of the list that a line is an item of, where its words begin, and the list with what leads in to it."""
    offset = candidate.start - begins
    words = normalise(candidate.item.text)[:KNOWN_BY]
    if not 0 <= offset < len(text) or not normalise(text[offset : offset + 3 * KNOWN_BY]).startswith(words):
        return None
    lines = text.split("\n")
    place = text.count("\n", 0, offset)
    first, last = place, place
    while first and is_item(lines[first - 1].strip()):
        first -= 1
    while last + 1 < len(lines) and is_item(lines[last + 1].strip()):
        last += 1
    own = [line.strip() for line in lines[first : last + 1]]
    # The words kept of a message may end within the list.
    if not is_item(own[0]) or len(own) < 2 or sum(map(len, own)) > LONG or last + 1 == len(lines):
        return None
    above = next((line.strip() for line in reversed(lines[:first]) if line.strip()), "")
    lead = [above] if above.endswith(":") and len(above) <= LEAD and not is_item(above) else []
    return first, begins + sum(len(line) + 1 for line in lines[:first]), "\n".join((*lead, *own))
