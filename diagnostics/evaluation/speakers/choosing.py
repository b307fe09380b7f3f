"""How often the right one of five is asked: the rules against a set of labelled questions, of which half are held out. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from continuity.groups.limits import GroupLimits
from continuity.groups.model import GroupSituation, GroupSpeaker
from continuity.groups.selection import choose
from diagnostics.evaluation.errors import EvaluationError

QUESTIONS = Path(__file__).with_name("questions.json")
# By readers who knew neither rules nor code; both named the same agent for each of them.
INDEPENDENT = Path(__file__).with_name("independent.json")
# By another such reader, of six other teams: most tell a symptom or a wish in words that no agent's expertise has.
SYMPTOMS = Path(__file__).with_name("symptoms.json")
# By the author of the rules, whose thresholds are set by it: eighty questions of eight teams, most of which tell a symptom or a wish.
CALIBRATION = Path(__file__).with_name("calibration.json")
TARGET = 0.9


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    domain: str
    question: str
    speaker: str
    held_out: bool


@dataclass(frozen=True, slots=True)
class ChosenSpeaker:
    asked: LabelledQuestion
    chosen: str
    reason: str
    sure: bool
    among: int

    @property
    def is_right(self) -> bool:
        return self.chosen == self.asked.speaker


@dataclass(frozen=True, slots=True)
class SpeakerShare:
    """So many of so many were right."""

    right: int
    of: int

    @property
    def share(self) -> float:
        return self.right / self.of if self.of else 0.0


def measured(path: Path = QUESTIONS) -> Sequence[ChosenSpeaker]:
    """Each question answered by the strategy `expertise`, as the first thing said in a group. Raises EvaluationError."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return [found for domain in document["domains"] for found in _of_domain(domain)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EvaluationError(f"{path}: no labelled questions can be read from it ({type(error).__name__})") from error


def _of_domain(domain: Mapping[str, Any]) -> Iterator[ChosenSpeaker]:
    speakers = tuple(
        GroupSpeaker(each["name"], role=each["role"], expertise=tuple(each["expertise"]), place=place)
        for place, each in enumerate(domain["agents"])
    )
    for number, each in enumerate(domain["questions"], 1):
        asked = LabelledQuestion(domain["name"], each["question"], each["speaker"], number % 2 == 0)
        selected = choose(GroupSituation("expertise", speakers, asked=asked.question), GroupLimits())
        yield ChosenSpeaker(asked, selected.speaker, selected.reason, not selected.doubt, len(speakers))


def pooled(found: Sequence[ChosenSpeaker]) -> dict[str, Any]:
    """The share of all of them, of each domain, and of those that the rules were sure of and were not, as plain values."""
    by_domain = {
        domain: round(_share(part).share, 4)
        for domain in sorted({each.asked.domain for each in found})
        if (part := [each for each in found if each.asked.domain == domain])
    }
    whole = _share(found)
    by_sureness = {
        name: {"right": half.right, "of": half.of, "share": round(half.share, 4)}
        for name, sure in (("sure", True), ("unsure", False))
        if (half := _share([each for each in found if each.sure == sure]))
    }
    by_chance = round(sum(1 / each.among for each in found), 1)
    counts = {"right": whole.right, "of": whole.of, "share": round(whole.share, 4), "by_chance": by_chance}
    return {**counts, "domains": by_domain, **by_sureness}


def _share(found: Sequence[ChosenSpeaker]) -> SpeakerShare:
    return SpeakerShare(sum(each.is_right for each in found), len(found))


def document(found: Sequence[ChosenSpeaker]) -> dict[str, Any]:
    """The shares as plain values, and of the development half what was wrong; of the held-out half nobody is shown that."""
    halves: dict[str, Any] = {}
    for name, held_out in (("development", False), ("held_out", True)):
        halves[name] = pooled([each for each in found if each.asked.held_out == held_out])
    wrong = [
        {"question": each.asked.question, "expected": each.asked.speaker, "chosen": each.chosen, "reason": each.reason}
        for each in found
        if not each.is_right and not each.asked.held_out
    ]
    return {**halves, "target": TARGET, "wrong_in_development": wrong}
