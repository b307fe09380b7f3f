"""A draft of a directive: lines, text and tokens kept within the budget together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from continuity.knowledge.model import Knowledge
from continuity.usage.tokens import Counter, Tally
from handoffs.budgeting.budget import (
    MUCH,
    SKETCHED,
    Selection,
    enough,
    evict,
    fill,
    fill_up,
    fills,
    grown,
    grown_room,
    left_out,
    plan,
    scaffolds_for,
    sketched_room,
)
from handoffs.budgeting.cached_rendering import Rendering
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.costs import Costs
from handoffs.budgeting.duplicates import Distinct, distinct
from handoffs.budgeting.fill_units import with_units
from handoffs.budgeting.limits import limits_for
from handoffs.building.assembly import candidates_of
from handoffs.contract.model import Options, Scaffold
from handoffs.directive.line_overrides import UNSTEERED, Steering
from handoffs.directive.lines.wording import Stated, one_line
from handoffs.directive.past.undone import without_undone
from handoffs.directive.styles import MANNERS
from handoffs.fidelity.probes import Probe, ask
from handoffs.fidelity.repair import put_back

# Where everything known takes less than this share of the budget, single lines may be as long as at so many times the budget.
ROOMY = 0.7
LONGER = (2, 4, 8)
# Line costs add up to the whole text nearly exactly, so one or two rounds suffice.
FITTINGS = 6
FILLINGS = 3


@dataclass(frozen=True, slots=True)
class _Choice:
    """A plan, the lines that it chose among, and what they cost in its scaffold."""

    found: Distinct
    costs: Costs
    selection: Selection


class Draft:
    """A selection, its text, and the tokens that the text takes: kept within the budget together."""

    def __init__(self, knowledge: Knowledge, options: Options, counter: Counter, steering: Steering = UNSTEERED) -> None:
        self._options = options
        self._steering = steering
        # What a predecessor handed on was a part of a conversation of its own.
        inherited = any(row.seq <= 0 for row in knowledge.requests)
        self._noted = knowledge.note is not None
        self._enough = enough(options.budget, MUCH if inherited else knowledge.tokens)
        self._tally = Tally(counter)
        self._rendering = Rendering(options.style)
        self._pricing = Costs(self._tally, MANNERS[options.style], Scaffold.FULL)
        limits = limits_for(options.budget)
        found, self._fillers = _parted(candidates_of(knowledge, options, limits, steering))
        choice = self._chosen(found)
        self.known = choice.found.candidates
        for longer in LONGER:
            wider = limits_for(options.budget * longer)
            if wider == limits or choice.selection.dropped or choice.selection.tokens > ROOMY * options.budget:
                break
            limits = wider
            longer_lines, self._fillers = _parted(candidates_of(knowledge, options, wider, steering))
            if longer_lines == found:
                continue
            found = longer_lines
            roomier = self._chosen(found)
            if roomier.selection.dropped:
                break
            choice = roomier
        self.held_by, self._duplicates = choice.found.held_by, choice.found.duplicates
        self._costs, self.selection = choice.costs, choice.selection
        self._fill()
        self._use_leftover(without_undone(knowledge))
        self._fit()

    def _chosen(self, candidates: Sequence[Candidate]) -> _Choice:
        """Plan with these lines, in the largest scaffold that what must stand fits; a smaller one where that brings in what the
        work needs, or halves (of an odd number, the larger half stays) what of a person's words is left out."""
        found = distinct(candidates)
        first, *smaller = scaffolds_for(self._options.budget)
        best = self._planned(found, first)
        left = left_out(best.selection) if self._fits(best) else None
        if left is not None and first is Scaffold.FULL:
            return best
        for scaffold in smaller:
            if left == (0, 0):
                break
            other = self._planned(found, scaffold)
            needed, unsaid = left_out(other.selection)
            fits = self._fits(other)
            if left is None or (fits and (needed < left[0] or (needed == left[0] and 2 * unsaid <= left[1] + 1))):
                best, left = other, (needed, unsaid) if fits else None
        return best

    def _planned(self, found: Distinct, scaffold: Scaffold) -> _Choice:
        costs = self._pricing.within(scaffold)
        return _Choice(found, costs, plan(found.candidates, self._options.budget, costs, spare=self._options.budget - self._enough))

    def _fits(self, choice: _Choice) -> bool:
        return choice.selection.tokens <= self._options.budget

    def repair(self, missing: tuple[str, ...], *, keep: tuple[str, ...] = ()) -> bool:
        """Whether something that was missing is back; the lines to keep do not make room for it."""
        repaired = put_back(self.selection, missing, self._options.budget, spare=self._costs.priced(self._duplicates), keep=keep)
        if repaired is None:
            return False
        self.selection = repaired
        self._fit(keep=(*missing, *keep))
        self._refill()
        return True

    def fill_up(self) -> bool:
        """Whether lines came in that only fill what is left of the budget, once everything else has its place."""
        told, chosen = Stated(self.text), {each.item.key for each in self.selection.chosen}
        fillers = [each for each in self._fillers if each.item.key not in chosen and not told.states(each.words or each.item.text)]
        told_first = [each for each in fillers if each.item.label != SKETCHED]
        fuller = fill_up(self.selection, self._costs.priced(told_first), self._options.budget - self.used)
        used = self.used + fuller.tokens - self.selection.tokens
        room = sketched_room(self._options.budget) - used
        fuller = fill_up(fuller, self._costs.priced([each for each in fillers if each.item.label == SKETCHED]), room)
        used = self.used + fuller.tokens - self.selection.tokens
        fuller = grown(fuller, self._costs, grown_room(self._options.budget, noted=self._noted) - used)
        if fuller.chosen == self.selection.chosen:
            return False
        self.selection = fuller
        self._fit()
        return True

    def answering(self, probes: Iterable[Probe]) -> tuple[str, ...]:
        """The keys of lines left out that answer these probes, of each the cheapest one."""
        probes = tuple(probes)
        if not probes:
            return ()
        left_out = sorted(self.selection.dropped, key=lambda candidate: (candidate.item.tokens, candidate.item.key))
        found = ask(probes, "\n".join(one_line(candidate.item.text) for candidate in left_out))
        return tuple(dict.fromkeys(left_out[answer.line - 1].item.key for answer in found if answer.answered))

    def _fill(self) -> None:
        """Let in what the room still holds: lines that share a bullet take less than was planned for them."""
        for _ in range(FILLINGS):
            room = self._enough - self._tally.count_parts(self._rendering.parts(self.selection))
            fuller = fill(self.selection, self.selection.tokens + room, self._costs) if room > 0 else self.selection
            if len(fuller.chosen) == len(self.selection.chosen):
                return
            self.selection = fuller

    def _refill(self) -> None:
        """Let in again what fits once lines that were missing have their place: a long line may have gone for a short one."""
        told = self.selection
        self._fill()
        self._measure()
        if self.used > self._options.budget:
            self.selection = told
            self._measure()

    def _use_leftover(self, knowledge: Knowledge) -> None:
        """Fills the remaining room with what parts of the work in hand were to bring, and with the sentences of the conversation that tell
        most."""
        self._measure()
        self.selection = grown(self.selection, self._costs, self._options.budget - self.used, steps=True)
        self._measure()
        room = self._enough - self.used
        if knowledge.tokens > self.used and room > 0:
            self.selection = with_units(knowledge, self.selection, self.text, self._costs, room)

    def _fit(self, *, keep: tuple[str, ...] = ()) -> None:
        """Render and count; let the least valuable lines go until the text is within the budget or nothing more can go."""
        for _ in range(FITTINGS):
            self._measure()
            over = self.used - self._options.budget
            smaller = evict(self.selection, over, keep=keep) if over > 0 else self.selection
            if len(smaller.chosen) == len(self.selection.chosen):
                return
            self.selection = smaller
        self._measure()

    def _measure(self) -> None:
        """Text and tokens of the selection as it is."""
        parts = self._rendering.parts(self.selection)
        self.text = "".join(parts)
        self.used = self._tally.count_parts(parts)


def _parted(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """The candidates that a budget is planned with, and those that only fill what it leaves."""
    planned = [each for each in candidates if not fills(each)]
    return planned, [each for each in candidates if fills(each)]
