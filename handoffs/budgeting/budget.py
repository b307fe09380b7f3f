"""Chooses the lines of a package within its budget, by order of value (DESIGN "Prepare")."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.costs import Costs
from handoffs.budgeting.coverage import NOTHING, CoverageTracker
from handoffs.contract.model import Scaffold, SectionKind

# Waiting or going on, and the next step: without them the rest is no directive, so they stay beside critical anchors at any budget.
FIRST_ESSENTIALS = 2
# From these budgets on there is room for the larger scaffold.
SCAFFOLDS = ((900, Scaffold.FULL), (350, Scaffold.LEAN), (0, Scaffold.BARE))
# A line of so many times the tokens is worth so much less: two short ones tell more than one long one.
SHORT, LENGTH = 8, 0.15
# What one section may take at most of the room that essentials, critical anchors and open tasks leave, while others want it.
MOST = 0.6
# A reader has to read all of it: what tells of the past takes only a share of the usual budget, or of a larger one, beside what tells
# of the present. It is the least for a short conversation, all of it for one of MUCH tokens.
USUAL, ENOUGH, MUCH = 4000, 0.54, 120_000
PRESENT = frozenset(
    (
        SectionKind.NEXT,
        SectionKind.GOAL,
        SectionKind.LAST,
        SectionKind.TASKS,
        SectionKind.RULES,
        SectionKind.DECISIONS,
        SectionKind.VERIFICATION,
    )
)
# Labels of lines that only fill what is left of the budget once everything else is told.
FILLERS = frozenset(("searched", "learned", "sketched"))
SEARCHED, NEEDED = "searched", 0.3  # but for what a search found from such a worth on: the work goes on from it
# Those of them that fill no more than a share of it, of a usual budget or a larger one less: the files tell the same.
SKETCHED, SKETCHED_SHARE, SKETCHED_MOST = "sketched", 0.7, 0.9
REPORT = "made"  # the label of what the agent reported of a request that it carried out
STEP = "step"  # the label of a part of the work
# Up to so much of a budget lines grow to what they only sketched.
GROWN_SHARE = 0.9
# A line that takes over so many times the tokens that are to be free gives way only where no lines worth up to so much more make the room.
LARGE, DEARER = 3, 1.5
LEAST_CUT = 40  # tokens, less room than which a shorter form does not find
# What a line of a section is worth beside others of the same importance: measured, see docs/quality.md.
WEIGHTS = {
    SectionKind.GOAL: 1.0,
    SectionKind.LAST: 0.9,
    SectionKind.RULES: 1.0,
    SectionKind.DECISIONS: 0.95,
    SectionKind.TASKS: 0.9,
    SectionKind.NEXT: 0.9,
    SectionKind.VERIFICATION: 0.85,
    SectionKind.STATE: 0.7,
    SectionKind.FILES: 0.7,
    SectionKind.ERRORS: 0.9,
    SectionKind.FACTS: 0.7,
    SectionKind.QUESTIONS: 0.65,
    SectionKind.RECENT: 0.45,
    SectionKind.EARLIER: 0.2,
    SectionKind.LOOKUP: 0.1,
}


@dataclass(frozen=True, slots=True)
class Selection:
    """The candidates that go in and those that stay out, priced for one scaffold; `frame` is the cost around them."""

    chosen: tuple[Candidate, ...]
    dropped: tuple[Candidate, ...]
    scaffold: Scaffold
    frame: int
    headings: dict[SectionKind, int] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """The tokens of the chosen lines, their headings and the frame."""
        kinds = {candidate.kind for candidate in self.chosen}
        return self.frame + sum(self.headings[kind] for kind in kinds) + sum(candidate.item.tokens for candidate in self.chosen)

    def with_chosen(self, chosen: Sequence[Candidate]) -> Selection:
        """The same candidates with another choice among them."""
        keys = {candidate.item.key for candidate in chosen}
        known = ((candidate.item.key, candidate) for candidate in (*self.chosen, *self.dropped))
        rest = {key: candidate for key, candidate in known if key not in keys and candidate.kind is not SectionKind.LOOKUP}
        return Selection(tuple(chosen), tuple(rest.values()), self.scaffold, self.frame, self.headings)


def fills(candidate: Candidate) -> bool:
    """Whether a line only fills what is left of the budget."""
    needed = candidate.item.label == SEARCHED and candidate.item.importance >= NEEDED
    return candidate.item.label in FILLERS and not needed


def value(candidate: Candidate) -> float:
    """The value of a line: by its section and its own importance, and a little less the longer it is."""
    length: float = max(candidate.item.tokens, SHORT) ** LENGTH
    return WEIGHTS[candidate.kind] * candidate.item.importance / length


def left_out(selection: Selection) -> tuple[int, int]:
    """How many essentials, open tasks and rules are left out, and how many lines that tell what holds. Who said them does not count: the
    bare scaffold does not tell, and a choice by it would be another one after each hop."""
    dropped = selection.dropped
    needed = sum(1 for each in dropped if each.essential or each.open_task or (each.kind is SectionKind.RULES and each.name))
    return needed, sum(1 for each in dropped if each.name)


def scaffolds_for(budget: int) -> tuple[Scaffold, ...]:
    """The scaffolds to try at a budget, the largest that suits it first."""
    return tuple(scaffold for least, scaffold in SCAFFOLDS if budget >= least)


def plan(candidates: Sequence[Candidate], budget: int, costs: Costs, *, spare: int = 0) -> Selection:
    """The choice at a budget of tokens: the first essentials, critical anchors, open tasks, the other essentials, then
    all others by value.

    Critical anchors are chosen whatever they cost; everything else stays within the budget, and what tells of the past within all but
    `spare` tokens of it.
    """
    priced = costs.priced(candidates)
    headings = {kind: costs.heading(kind) for kind in SectionKind}
    room = _Room(budget - costs.frame(), headings)
    essentials = sorted((c for c in priced if c.essential), key=lambda c: -c.item.importance)
    room.force(essentials[:FIRST_ESSENTIALS])
    room.force(c for c in priced if c.item.critical)
    room.add_some_form(essentials[FIRST_ESSENTIALS:], costs)
    tasks = sorted((c for c in priced if c.open_task), key=_by_importance)
    room.add_some_form(tasks, costs)
    rest = [c for c in priced if not c.must and not c.open_task]
    most = int(room.left * MOST)
    room.left -= spare
    room.add_best(rest, most=most)
    room.add_best(rest, costs=costs)
    reports = [c for c in rest if c.item.label == REPORT and c.item.key not in room.keys]
    room.add_beside(sorted(reports, key=lambda c: (-value(c), -c.item.seq, c.item.key)), costs)
    room.left += spare
    room.add_best([c for c in rest if c.kind in PRESENT])
    dropped = tuple(c for c in priced if c.item.key not in room.keys)
    return Selection(tuple(room.chosen), dropped, costs.scaffold, costs.frame(), headings)


def enough(budget: int, tokens: int) -> int:
    """The tokens that a directive takes of a conversation of so many where only what tells of the past is left out."""
    share = ENOUGH + (1 - ENOUGH) * min(1.0, tokens / MUCH)
    return min(budget, int(max(budget, USUAL) * share))


def fill(selection: Selection, budget: int, costs: Costs) -> Selection:
    """The selection with the most valuable of the lines left out that still fit, what came of a request shorter where it has to be."""
    room = _Room(budget - selection.tokens, selection.headings, selection.chosen)
    room.add_best(selection.dropped, costs=costs)
    return selection.with_chosen(room.chosen)


def sketched_room(budget: int) -> int:
    """The tokens up to which sketches of earlier work fill a directive."""
    return max(int(budget * SKETCHED_SHARE), int(min(budget * SKETCHED_MOST, USUAL * SKETCHED_SHARE)))


def grown_room(budget: int, *, noted: bool) -> int:
    """The tokens up to which lines grow, once everything else is told; less beside the agent's note, which says what was done."""
    return max(int(budget * (SKETCHED_SHARE if noted else GROWN_SHARE)), min(budget, int(USUAL * SKETCHED_SHARE)))


def fill_up(selection: Selection, fillers: Sequence[Candidate], left: int) -> Selection:
    """The selection with those of the priced fillers that fit in `left` tokens, the shortest first: they tell most for their room."""
    room = _Room(left, selection.headings, selection.chosen)
    room.add_all(sorted(fillers, key=lambda each: (each.item.tokens, *_by_importance(each))))
    return selection.with_chosen(room.chosen)


def grown(selection: Selection, costs: Costs, left: int, *, steps: bool = False) -> Selection:
    """The selection with fuller texts of its lines where they fit in `left` more tokens, the latest first; with `steps` of the parts of
    the work in hand alone: what each was to bring tells more than single sentences of the past."""
    told = list(selection.chosen)
    for place, each in sorted(enumerate(selection.chosen), key=lambda entry: (-entry[1].item.seq, entry[1].item.key)):
        if steps and (each.item.label, each.kind) != (STEP, SectionKind.TASKS):
            continue
        fuller = costs.priced([each._replace(item=item, terms=NOTHING, fuller=()) for item in each.fuller])
        form = next((form for form in fuller if form.item.tokens - each.item.tokens <= left), None)
        if form is not None:
            told[place], left = form, left - (form.item.tokens - each.item.tokens)
    return selection.with_chosen(told)


def evict(selection: Selection, tokens: int, *, keep: Iterable[str] = ()) -> Selection:
    """The selection without its least valuable lines, until `tokens` are free; critical anchors, the first essentials and the
    keys to keep stay. A line of many times the tokens stays where small ones that are worth little more make the room."""
    essentials = sorted((c for c in selection.chosen if c.essential), key=lambda c: -c.item.importance)
    kept = {*keep, *(c.item.key for c in essentials[:FIRST_ESSENTIALS])}
    order = sorted(selection.chosen, key=lambda c: (c.open_task, c.essential, value(c), c.item.seq, c.item.key))
    order = [c for c in order if not c.item.critical and c.item.key not in kept]
    out = _least(order, tokens)
    large = [c for c in out if c.item.tokens > LARGE * tokens and not (c.open_task or c.essential)]
    if large:
        most = DEARER * max(map(value, out))
        small = [c for c in order if c not in large and value(c) <= most and not (c.open_task or c.essential)]
        instead = _least(small, tokens)
        out = instead if sum(c.item.tokens for c in instead) >= tokens else out
    keys = {c.item.key for c in out}
    return selection.with_chosen([c for c in selection.chosen if c.item.key not in keys])


def _least(order: Sequence[Candidate], tokens: int) -> list[Candidate]:
    """The first of the candidates that take so many tokens together."""
    out: list[Candidate] = []
    for candidate in order:
        if tokens <= 0:
            break
        out.append(candidate)
        tokens -= candidate.item.tokens
    return out


class _Room:
    """Tokens left, what was chosen so far, and what that says."""

    def __init__(self, tokens: int, headings: Mapping[SectionKind, int], chosen: Iterable[Candidate] = ()) -> None:
        self.left = tokens
        self.chosen = list(chosen)
        self.keys = {candidate.item.key for candidate in self.chosen}
        self._headings = headings
        self._kinds = {candidate.kind for candidate in self.chosen}
        self._said = CoverageTracker(candidate.terms for candidate in self.chosen)

    def add_best(self, candidates: Sequence[Candidate], *, most: int | None = None, costs: Costs | None = None) -> None:
        """The candidates that fit, the most valuable first, where one that says what was said already counts less; of each
        section at most `most` tokens. With `costs` what came of a request, or of a part of it, goes in shorter where it finds no room at
        its turn: what is worth less would take that room.

        Values only ever fall as more is said, so a candidate whose value still stands when its turn comes is the best.
        """
        short = [c for c in candidates if c.shorter and (c.kind is SectionKind.RECENT or c.item.label == STEP)]
        cut = {c.item.key for c in short} if costs is not None else set()
        # The number keeps candidates themselves from being compared. What does not fit now never will.
        fitting = (c for c in candidates if (c.item.tokens <= self.left or c.item.key in cut) and c.item.key not in self.keys)
        queue = [(-value(c), -c.item.seq, c.item.key, n, c) for n, c in enumerate(fitting)]
        heapq.heapify(queue)
        cheapest = min((LEAST_CUT if entry[2] in cut else entry[4].item.tokens for entry in queue), default=0)
        taken: dict[SectionKind, int] = {}
        while queue and cheapest <= self.left:
            worth, order, key, n, candidate = heapq.heappop(queue)
            if candidate.item.tokens > self.left:
                if costs is not None and key in cut:
                    self.add_some_form((candidate,), costs)
                continue
            now = -value(candidate) * self._said.factor(candidate.terms)
            if queue and now > worth and (now, order, key) > queue[0][:3]:
                heapq.heappush(queue, (now, order, key, n, candidate))
                continue
            price = self._price(candidate)
            spent = taken.get(candidate.kind, 0) + price
            if price <= self.left and (most is None or spent <= most):
                self._take(candidate, price)
                taken[candidate.kind] = spent

    def add_all(self, candidates: Iterable[Candidate]) -> None:
        """Each candidate that still fits, in order."""
        for candidate in candidates:
            price = self._price(candidate)
            if candidate.item.key not in self.keys and price <= self.left:
                self._take(candidate, price)

    def add_some_form(self, candidates: Sequence[Candidate], costs: Costs) -> None:
        """Each candidate in the longest of its forms that still fits, in order; whole ones first."""
        self.add_all(c for c in candidates if not c.shorter)
        for candidate in candidates:
            self.add_all((candidate,))
            if candidate.item.key not in self.keys:
                self.add_all(costs.priced(candidate.shortened()))

    def add_beside(self, candidates: Sequence[Candidate], costs: Costs) -> None:
        """Each candidate in the longest of its forms for which what else came of requests makes room by being told shorter, the longest
        first: a little of each tells more than all of some."""
        for candidate in candidates:
            forms = costs.priced((candidate, *candidate.shortened()))
            chosen, left = list(self.chosen), self.left
            while all(self._price(form) > left for form in forms):
                long = [c for c in chosen if c.shorter and c.kind is SectionKind.RECENT and c.item.tokens > forms[-1].item.tokens]
                if not long:
                    break
                longest = max(long, key=lambda c: (c.item.tokens, c.item.key))
                shorter = costs.priced(longest.shortened())[0]._replace(shorter=longest.shorter[1:])
                chosen[chosen.index(longest)] = shorter
                left += longest.item.tokens - shorter.item.tokens
            form = next((each for each in forms if self._price(each) <= left), None)
            if form is not None:
                self.chosen, self.left = chosen, left
                self._take(form, self._price(form))

    def force(self, candidates: Iterable[Candidate]) -> None:
        for candidate in candidates:
            if candidate.item.key not in self.keys:
                self._take(candidate, self._price(candidate))

    def _price(self, candidate: Candidate) -> int:
        return candidate.item.tokens + (0 if candidate.kind in self._kinds else self._headings[candidate.kind])

    def _take(self, candidate: Candidate, price: int) -> None:
        self.left -= price
        self.chosen.append(candidate)
        self.keys.add(candidate.item.key)
        self._kinds.add(candidate.kind)
        self._said.add(candidate.terms)


def _by_importance(candidate: Candidate) -> tuple[float, int, str]:
    return -candidate.item.importance, -candidate.item.seq, candidate.item.key
