"""The evidence in the form in which lines are held against it: built once, asked for each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from handoffs.fidelity.probes.timeline import Timeline, TimelineEntry
from handoffs.fidelity.probes.turns import FIRST, LATEST, SHORT, RawTurn, in_work
from handoffs.fidelity.probes.words import plain, words_of

# So much of the words of a line must stand in a text for it to be about the same.
SAME = 0.7


class Index:
    """Texts by their words: which of them holds most of a line."""

    def __init__(self, held: Iterable[TimelineEntry], words: Sequence[frozenset[str]] | None = None) -> None:
        self.held = tuple(held)
        self.words: Sequence[frozenset[str]] = [words_of(each.words) for each in self.held] if words is None else words
        self._by_word: dict[str, list[int]] = {}
        for number, held_words in enumerate(self.words):
            for word in held_words:
                self._by_word.setdefault(word, []).append(number)

    def like(self, words: frozenset[str], share: float = SAME, *, both: bool = False) -> TimelineEntry | None:
        """The latest of those that hold most of the words, if so much; with `both`, and so much of whose own words stand in the line."""
        shared = Counter(number for word in words for number in self._by_word.get(word, ()))
        good = [
            (count / len(words), self.held[number].seq, number)
            for number, count in shared.items()
            if count >= max(1, share * len(words)) and (not both or count >= share * len(self.words[number]))
        ]
        return self.held[max(good)[2]] if good else None

    def within(self, words: frozenset[str], share: float, least: int, *, after: int = 0) -> TimelineEntry | None:
        """The latest whose own words stand in the line to so much, and at least so many of them."""
        shared = Counter(number for word in words for number in self._by_word.get(word, ()))
        good = [
            (self.held[number].seq, number)
            for number, count in shared.items()
            if count >= least and count >= share * len(self.words[number]) and self.held[number].seq > after
        ]
        return self.held[max(good)[1]] if good else None


class RawEvidence:
    """The evidence of a session's timeline about now."""

    def __init__(self, course: Timeline) -> None:
        self.course = course
        self.turns = course.turns
        self._plain = [plain(turn.words) for turn in self.turns]
        self.in_work = in_work(self.turns)

    @cached_property
    def said(self) -> Index:
        return Index(self.course.said.values())

    @cached_property
    def messages(self) -> Index:
        """The messages of people, each as a whole."""
        words: dict[int, frozenset[str]] = {}
        for said, of in zip(self.said.held, self.said.words, strict=True):
            words[said.seq] = words.get(said.seq, frozenset()) | of
        return Index((TimelineEntry("", seq) for seq in words), list(words.values()))

    @cached_property
    def asked(self) -> Index:
        return Index(TimelineEntry(turn.words, turn.seq) for turn in self.turns)

    @cached_property
    def items(self) -> Index:
        return Index(self.course.items.values())

    @cached_property
    def withdrawn(self) -> Index:
        return Index(self.course.withdrawn.values())

    @cached_property
    def faults(self) -> Index:
        return Index(self.course.faults.values())

    @cached_property
    def spoken(self) -> Index:
        return Index(self.course.spoken.values())

    @cached_property
    def left(self) -> Index:
        """The options that were offered through a tool and not taken."""
        return Index(each for each in self.course.options.values() if not each.good)

    @property
    def has_all_turns(self) -> bool:
        """Whether every message of a person is known."""
        return not self.course.carried and len(self.turns) < FIRST + LATEST

    def turn_of(self, words: str, seq: int = 0) -> RawTurn | None:
        """The turn in which a person said these words: one that holds them, or most of them; by its number, the one named."""
        begins = plain(words)[:SHORT]
        named = next((turn for turn in self.turns if turn.seq == seq), None)
        if named is not None:
            return named
        if len(begins) >= 6:
            for turn, held in zip(reversed(self.turns), reversed(self._plain), strict=True):
                if begins in held:
                    return turn
        found = self.asked.like(words_of(words))
        return next((turn for turn in self.turns if found and turn.seq == found.seq), None)

    def turn_at(self, seq: int) -> RawTurn | None:
        """The turn that message `seq` belongs to."""
        return next((turn for turn in reversed(self.turns) if turn.seq <= seq), None)

    def is_over(self, turn: RawTurn) -> bool:
        """Whether a turn is not in work, and something came of it."""
        return turn.seq not in self.in_work and bool(turn.closing_seq or turn.calls)
