"""Lines about now: the goal, the next step, who is waited for, and what is open."""

from __future__ import annotations

import re

from continuity.knowledge.directive_parser.grammar import UNDERTAKEN
from handoffs.fidelity.agreement.evidence import RawEvidence
from handoffs.fidelity.agreement.model import ClaimedLine, ClaimKind, Disagreement, DisagreementCode
from handoffs.fidelity.agreement.reasons import against, at, quoted
from handoffs.fidelity.probes import evidence as calls
from handoffs.fidelity.probes.turns import RawTurn
from handoffs.fidelity.probes.words import plain, words_of

# How somebody goes, hands over, or speaks of what they do themselves.
_PARTING = re.compile(
    r"\bi(?:'ll| will|'ve| have|'m| am)? \w|\bstop\b|\bgotta\b|\btomorrow\b|\bover\b"
    r"|\b(?:clos|merg|send|hand|ship|releas|deploy|publish)ing\b"
    r"|\b(?:sent|merged|shipped|released|deployed|published|closed|posted|pushed)\b|\b(?:ich|je|yo)\b|\bmorgen\b|\bdemain\b"
)
ITEM = 0.8  # of the words of a point of a list, for a line to be about it


def goal(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """The goal is the request in work, or one with open points in its list."""
    turn = known.turn_of(line.words, line.seq)
    if turn is None and line.seq and known.has_all_turns:
        return against(line, DisagreementCode.GOAL_NOT_IN_WORK, f"No person was found to ask this{at(line.seq)}.", line.seq)
    if turn is None or not known.is_over(turn) or _has_open_points(turn, known):
        return None
    later = next(other for other in known.turns if other.seq > turn.seq)
    reason = f"This was asked{at(turn.seq)} and {_outcome(turn)}; since then the user asked “{quoted(_latest(known).words)}”"
    return against(line, DisagreementCode.GOAL_NOT_IN_WORK, f"{reason}{at(_latest(known).seq)}.", later.seq)


def next_step(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """A next step agrees where it was neither done nor superseded."""
    match line.label:
        case "run again":
            return _ran_again(line, known)
        case "unanswered":
            return _answered(line, known)
        case "agreed" | "asked":
            turn = known.turn_at(line.seq) if line.seq else None
            later = next((other for other in known.turns if turn and other.seq > turn.seq), None)
            if later is None or not known.is_over(later):
                return None
            return against(line, DisagreementCode.NEXT_DONE, f"The user answered this{at(later.seq)}, and {_outcome(later)}.", later.seq)
    return done_point(line, known) or _overtaken(line, known)


def waiting(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """Whom the work waits for agrees with the last event."""
    course, words = known.course, plain(line.words)
    asks = course.last == "agent" and "?" in known.turns[-1].closing[-120:] and not course.calls
    if asks and words.startswith("go on"):
        return against(
            line, DisagreementCode.WAITING_WRONG, "The agent asked the user last, and no answer was seen.", known.turns[-1].closing_seq
        )
    if words.startswith("wait for the user") and course.last == "person" and not course.calls and _parts(known.turns[-1].words):
        return None
    if words.startswith("wait for the user") and (course.calls or course.last in ("person", "result")):
        what = "the user spoke last" if course.last == "person" else "the agent was at work last, and had asked nothing"
        return against(line, DisagreementCode.WAITING_WRONG, f"Nobody is waited for: {what}.")
    return None


def _parts(words: str) -> bool:
    """Whether the user's words ask for nothing, and tell that they go, hand over or do something themselves."""
    return "?" not in words and _PARTING.search(words.lower()) is not None


def still_open(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """An open item agrees where it was not done."""
    if wrong := done_point(line, known):
        return wrong
    if line.label in ("promise", UNDERTAKEN):
        return None
    turn = known.turn_of(line.words, line.seq)
    if turn is None or not known.is_over(turn) or _has_open_points(turn, known) or turn.stopped:
        return None
    return against(
        line, DisagreementCode.OVER_TOLD_OPEN, f"This was asked{at(turn.seq)}, and {_outcome(turn)}.", turn.closing_seq or turn.last_seq
    )


def done_point(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """A point that a list or tracker has as done."""
    point = known.items.within(words_of(line.words[:200]), ITEM, 2)
    if point is None or not point.good or point.end <= line.seq or " left: " in line.words:
        return None
    code = DisagreementCode.NEXT_DONE if line.telling is ClaimKind.NEXT else DisagreementCode.OVER_TOLD_OPEN
    return against(line, code, f"“{quoted(point.words)}” was marked as done{at(point.end)}.", point.end)


def _overtaken(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """The agent said something else to do since."""
    spoken = known.spoken.like(words_of(line.words))
    if spoken is None:
        turn = known.turn_of(line.words, 0)
        if turn is None or not known.is_over(turn):
            return None
        return against(line, DisagreementCode.NEXT_DONE, f"This was asked{at(turn.seq)}, and {_outcome(turn)}.", turn.last_seq)
    later = [each for each in known.course.spoken.values() if each.seq > spoken.seq]
    if not later or spoken.seq == 0:
        return None
    reason = f"The agent said this{at(spoken.seq)}, and has gone on since: “{quoted(later[-1].words)}”{at(later[-1].seq)}."
    return against(line, DisagreementCode.NEXT_PASSED, reason, later[-1].seq)


def _ran_again(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    doing = calls.doing(plain(line.words))
    run = next((check for check in known.course.checks.values() if calls.doing(plain(check.words)) == doing), None)
    if run is None or not run.good:
        return None
    return against(line, DisagreementCode.NEXT_DONE, f"`{quoted(run.words)}` passed{at(run.seq)}.", run.seq)


def _answered(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    if known.course.calls:
        return None
    return against(line, DisagreementCode.NEXT_DONE, "Every call got its result.")


def _has_open_points(turn: RawTurn, known: RawEvidence) -> bool:
    """Whether a list that was begun in this turn has points left."""
    end = next((other.seq for other in known.turns if other.seq > turn.seq), turn.last_seq + 1)
    return any(turn.seq <= point.seq < end and not point.good for point in known.course.items.values())


def _latest(known: RawEvidence) -> RawTurn:
    return next(turn for turn in known.turns if turn.seq in known.in_work and turn.seq == min(known.in_work))


def _outcome(turn: RawTurn) -> str:
    if turn.commits:
        return "was committed"
    if turn.edits:
        return "was carried out"
    return "was answered" if turn.closing_seq else "was worked on"
