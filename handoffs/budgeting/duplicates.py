"""Each thing once: a line whose words another line already holds is left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.directive_parser.values import uncommitted
from continuity.knowledge.model import FileAction
from handoffs.budgeting.candidate import STATING, Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.wording import normalise, one_line

_SEPARATOR = "\n"
SHORTEST = 3
# What was run and done: a line that quotes a result holds no anchor.
DONE = frozenset(
    (
        "check",
        "blocked",
        "merging",
        "failing",
        "uncommitted",
        "unknown",
        "did",
        "unanswered",
        "in progress",
        "looking",
        "running",
        "sent",
        "asked for",
        "chose",
        "step",
        "parts done",
        "work",
        "so far",
        "not opened",
        "also checked",
        "not run",
        "owed",
        "cwd",
        "branch",
        "tree",
        "commit",
        "made outside",
        "plan left",
    )
)
LISTS, MODIFIED = frozenset(("uncommitted", "unknown")), FileAction.MODIFIED.value
WHOLE, SAID = frozenset(("user",)), frozenset(("person said", "agent said"))
ADDED = frozenset(("further", "added"))
CRITICAL_SHARE = 0.7
FIRST_WORDS = 48  # characters of a message that a decision above it tells
BEGINS = 60  # characters by which a task is known for the request in work
REQUESTS = frozenset(("goal", "whole"))  # the request in work: what was decided in its words is part of it
# The agent's words of the turn that lasts hold what it claimed in them, as the history does.
LAST_WORDS = frozenset(("last words", "told", "told before", "thought", "report", "report before"))
POINTS = "items"  # the list that the work goes by, in the agent's words with their states
# Messages that are told at length: what is claimed elsewhere gives way to them.
BLOCKS = LAST_WORDS | {POINTS, "offered", "denied", "goal before", "whole"}
# Sections whose lines the history holds where it tells their words.
ERRORS_MET = frozenset(("solved", "unsolved"))  # lines that hold what the agent said of an error
TOLD_IN_HISTORY = frozenset((SectionKind.FACTS, SectionKind.ERRORS, SectionKind.QUESTIONS, SectionKind.DECISIONS))


@dataclass(frozen=True, slots=True)
class Distinct:
    """Candidates without duplicates, those left out, and for each of these the key of the one that holds its words."""

    candidates: tuple[Candidate, ...]
    duplicates: tuple[Candidate, ...]
    held_by: dict[str, str]


def distinct(candidates: Sequence[Candidate]) -> Distinct:
    """Essentials are kept first, then critical anchors, then longer lines before shorter ones. The history holds what the agent claimed in
    it and binds nobody: facts, problems, questions and choices; the list of what is not committed holds the files of which nothing
    else is told. A critical anchor gives way only to a line that says little else, an essential or an open task only to its equal."""
    order = sorted(range(len(candidates)), key=lambda index: _rank(candidates[index], index))
    kept: set[int] = set()
    held_by: dict[str, str] = {}
    text = ""
    starts: list[int] = []
    lengths: list[int] = []
    keys: list[str] = []
    labels: list[str] = []
    goal = next((each for each in candidates if each.item.label == "goal" and each.kind is SectionKind.NEXT), None)
    begins = normalise(goal.item.text)[:BEGINS] if goal else ""
    taken = [(each.item.key, normalise(each.item.text)) for each in candidates if each.item.label in ("taken", "taken then")]
    added = [(each.item.key, normalise(each.item.text)) for each in candidates if each.item.label in ADDED]
    lists = (each for each in candidates if each.item.label in LISTS and each.kind is SectionKind.NEXT)
    listed = {path: each.item.key for each in lists for path in uncommitted(each.item.text)}
    history, history_starts, history_keys = "", list[int](), list[str]()
    decided: dict[str, str] = {}
    for index in order:
        candidate = candidates[index]
        if (candidate.kind is SectionKind.LAST and candidate.item.label in LAST_WORDS) or candidate.item.label == POINTS:
            kept.add(index)
            history_starts.append(len(history))
            history_keys.append(candidate.item.key)
            history += normalise(candidate.words or candidate.item.text) + _SEPARATOR
            continue
        if candidate.kind is SectionKind.FILES and candidate.item.label == MODIFIED and candidate.item.text in listed:
            held_by[candidate.item.key] = listed[candidate.item.text]
            continue
        if candidate.kind not in STATING or candidate.item.label in DONE:
            kept.add(index)
            continue
        words = normalise(candidate.words or candidate.item.text)
        if goal and candidate.open_task and candidate.words and words.startswith(begins):
            held_by[candidate.item.key] = goal.item.key
            continue
        if candidate.open_task and candidate.words and (holding := next((key for key, told in taken if words in told), None)):
            held_by[candidate.item.key] = holding
            continue
        if candidate.kind is SectionKind.RECENT and candidate.item.label in WHOLE:
            # The user's words are told in their order, whatever else holds them.
            kept.add(index)
            history_starts.append(len(history))
            history_keys.append(candidate.item.key)
            history += words + _SEPARATOR
            continue
        holder = _holder(words, text, starts)
        if candidate.item.label in SAID and holder is not None and labels[holder] in ERRORS_MET:
            held_by[candidate.item.key] = keys[holder]
            continue
        if candidate.item.label == "person said" and not candidate.item.critical and holder is None:
            # What was said to a request in work is told with it.
            holding = next((key for key, told in added if words in told), None)
            if holding is not None:
                held_by[candidate.item.key] = holding
                continue
        if candidate.item.label in SAID and holder is None and (holder := _holder(words, history, history_starts)) is not None:
            held_by[candidate.item.key] = history_keys[holder]
            continue
        if holder is None and (said := _in_history(candidate, words, history, history_starts)) is not None:
            if not candidate.item.critical:
                held_by[candidate.item.key] = history_keys[said]
                continue
            decided[history_keys[said]] = candidate.name
        whole = holder is not None and candidate.kind is SectionKind.DECISIONS and labels[holder] in REQUESTS
        if holder is not None and (whole or len(words) >= _least_share(candidate) * lengths[holder]):
            held_by[candidate.item.key] = keys[holder]
            continue
        kept.add(index)
        if candidate.kind is SectionKind.RECENT:
            history_starts.append(len(history))
            history_keys.append(candidate.item.key)
            history += words + _SEPARATOR
        else:
            starts.append(len(text))
            keys.append(candidate.item.key)
            lengths.append(len(words))
            labels.append(candidate.item.label)
            text += words + _SEPARATOR
    names = _names(candidates, held_by)
    return Distinct(
        tuple(_shortly(_naming(candidate, names), decided) for index, candidate in enumerate(candidates) if index in kept),
        tuple(candidate for index, candidate in enumerate(candidates) if index not in kept),
        held_by,
    )


def _names(candidates: Sequence[Candidate], held_by: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """The names of what a line holds the words of, where it is of another kind: by them a reader of the text knows it again."""
    by_key = {candidate.item.key: candidate for candidate in candidates}
    names: dict[str, tuple[str, ...]] = {}
    for key, holder in held_by.items():
        held = by_key[key]
        if held.name and not held.item.claimed and held.item.reference[:1] != by_key[holder].item.reference[:1]:
            names[holder] = (*names.get(holder, ()), held.name)
    return names


def _naming(candidate: Candidate, names: dict[str, tuple[str, ...]]) -> Candidate:
    held = names.get(candidate.item.key)
    return candidate._replace(item=candidate.item._replace(held=held)) if held else candidate


def _shortly(candidate: Candidate, decided: dict[str, str]) -> Candidate:
    """A line of the history by its first words, where a person's decision that stands above it says the same."""
    name = decided.get(candidate.item.key)
    if name is None or len(candidate.item.text) <= FIRST_WORDS or candidate.item.label not in WHOLE:
        return candidate
    first = one_line(candidate.item.text)[:FIRST_WORDS].rpartition(" ")[0]
    item = candidate.item._replace(text=f"{first} {CLIP}", held=tuple(filter(None, (*candidate.item.held, name))))
    return candidate._replace(item=item, shorter=(), fuller=())


def _least_share(candidate: Candidate) -> float:
    """How much of a line a candidate's words must be to be left out for it."""
    return 1.0 if candidate.essential or candidate.open_task else CRITICAL_SHARE if candidate.item.critical else 0.0


def _holder(words: str, text: str, starts: list[int]) -> int | None:
    """The index of the line that holds `words`."""
    position = text.find(words) if len(words) >= SHORTEST else -1
    return bisect_right(starts, position) - 1 if position >= 0 else None


def _in_history(candidate: Candidate, words: str, history: str, starts: list[int]) -> int | None:
    """The line of the history that holds what an agent claimed, or says little else than a person's decision."""
    if candidate.kind not in TOLD_IN_HISTORY or not (candidate.item.claimed or candidate.kind is SectionKind.DECISIONS):
        return None
    holder = _holder(words, history, starts)
    if holder is None or not candidate.item.critical:
        return holder if candidate.item.claimed else None
    end = starts[holder + 1] if holder + 1 < len(starts) else len(history)
    decides = candidate.kind is SectionKind.DECISIONS and not candidate.item.label
    return holder if decides and len(words) >= CRITICAL_SHARE * (end - starts[holder] - 1) else None


def _rank(candidate: Candidate, index: int) -> tuple[int, int, int]:
    if candidate.essential:
        group = 0
    elif candidate.kind is SectionKind.RECENT and candidate.item.label in WHOLE:
        group = 1  # the user's words, which hold what is said to be decided in them
    elif candidate.item.critical or candidate.open_task or candidate.item.label in BLOCKS | ERRORS_MET:
        group = 2
    else:
        group = 3 if candidate.kind is SectionKind.RECENT else 4
    return group, -len(candidate.item.text), index
