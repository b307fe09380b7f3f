"""Decisions of the person through tools: chosen answers, approved or rejected plans, refusals with a reason."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from continuity.knowledge.anchors import recording
from continuity.knowledge.extractors import user
from continuity.knowledge.extractors.outcomes import refusals
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.language.clip import clip
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.sentences import Sentence, split
from continuity.knowledge.model import AnchorState, AnchorType, Ref, Truth
from continuity.knowledge.rules import apply
from continuity.knowledge.rules.catalogue import Setting
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.open_items import Pending
from continuity.knowledge.state.step import FoldStep
from continuity.transcripts.base.model import Part

_PAIR = re.compile(r'"([^"\n]{3,400})"\s*=\s*"([^"\n]{1,400})"')
_SAID = re.compile(r"(?:the user said|user feedback|user's feedback|feedback from the user|<feedback>)\s*:?\s*", re.I)
_REFUSED = PrefilteredPattern(
    r"doesn't want to proceed|tool use was rejected|user (?:rejected|denied|declined|refused)|rejected by user|permission denied by user",
    re.I,
)
_APPROVED = re.compile(r"user has approved|plan (?:was |is )?approved|approved (?:the|your) plan|exit(?:ed)? plan mode", re.I)
_PLAN_TEXT = re.compile(r"## Approved Plan:?\s*\n", re.I)


def questions_of(arguments: Mapping[str, Any]) -> list[tuple[str, str, list[str]]]:
    """(id, question, option labels) of every question a call asks."""
    return [(tool_names.first(entry, "id", "header"), text, [label for label, _ in offered]) for entry, text, offered in _asked(arguments)]


def offered_in(arguments: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every question a call asks, with the label of each option and what the agent says that it means."""
    return [(text, offered) for _, text, offered in _asked(arguments)]


def _asked(arguments: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], str, list[tuple[str, str]]]]:
    asked = arguments.get("questions")
    for entry in asked if isinstance(asked, (list, tuple)) else [arguments]:
        if not isinstance(entry, Mapping):
            continue
        text = tool_names.first(entry, "question", "prompt", "text", "message")
        offered = entry.get("options") or entry.get("follow_up") or entry.get("choices") or ()
        options = [_option(each) for each in offered if each] if isinstance(offered, (list, tuple)) else []
        if text:
            yield entry, text, [(label, meaning) for label, meaning in options if label]


def _option(given: Any) -> tuple[str, str]:
    if not isinstance(given, Mapping):
        return str(given), ""
    return tool_names.first(given, "label", "text", "value", "title"), tool_names.first(given, "description", "explanation", "detail")


def is_persons(name: str, text: str, *, failed: bool) -> bool:
    """Whether a result of the tool `name` is what a person answered: a choice, a plan approved, a call refused."""
    plain, beginning = tool_names.plain_name(name), text[:600]
    if plain in tool_names.ASK:
        return not failed or bool(_REFUSED.search(beginning))
    return bool((failed and _REFUSED.search(beginning)) or (plain in tool_names.PLAN and _APPROVED.search(beginning)))


def answered(step: FoldStep, index: int, part: Part, pending: Pending) -> None:
    """Enter each chosen answer as the person's decision: the question is its reason, the other options are rejected."""
    asked = [json.loads(o) for o in pending.options]
    if part.failed or _REFUSED.search(part.text[:600]):
        refused(step, index, part, pending)
        return
    for question, answer in _pairs(part, asked):
        options: list[str] = next((labels for name, text, labels in asked if question in (text, name)), [])
        text = next((t for name, t, _ in asked if question in (t, name)), question)
        chosen = {a.strip() for a in answer.split(", ")} | {answer}
        # Who answers in own words turns none of the options down.
        others = [option for option in options if option not in chosen] if chosen & set(options) else []
        refusals.chosen(step, text, answer, others)
        start = max(0, part.text.find(answer))
        ref = Ref(step.seq, index, start, start + len(answer))
        recording.found(
            step,
            AnchorType.DECISION,
            answer,
            ref,
            0.95,
            Truth.STATED,
            "decision.asked",
            rationale=clip(text, 300),
            rejected="; ".join(others),
        )
    recording.settle_all(step, step.state.questions, frozenset({"person"}), AnchorState.RESOLVED)


def _pairs(part: Part, asked: list[Any]) -> list[tuple[str, str]]:
    """(question or its id, answer) from what the tool reports, or from its text."""
    told = part.data.get("answers")
    if not isinstance(told, Mapping):
        told = _json_answers(part.text)
    if isinstance(told, Mapping) and told:
        return [(str(question), answer) for question, value in told.items() if (answer := _words(value))]
    if found := _PAIR.findall(part.text[:8000]):
        return found
    text = re.sub(r"</?answer>", "", part.text).strip()
    return [(asked[0][1], text[:400])] if len(asked) == 1 and text else []


def _words(value: Any) -> str:
    """An answer in words, whatever shape it has: a string, a list of labels, or an object that holds them."""
    if isinstance(value, Mapping):
        value = value.get("answers") or value.get("answer") or value.get("label") or value.get("value") or ""
    return ", ".join(tool_names.texts(value))


def _json_answers(text: str) -> Mapping[str, Any] | None:
    if not text.lstrip().startswith("{") or len(text) > 20_000:
        return None
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return None
    answers = raw.get("answers") if isinstance(raw, dict) else None
    return answers if isinstance(answers, Mapping) else None


def planned(step: FoldStep, index: int, part: Part, pending: Pending) -> None:
    """A plan that the person approved is decided, with the decisions and rules it lists; a rejected one is corrected."""
    if part.failed or _REFUSED.search(part.text[:600]):
        refused(step, index, part, pending)
        return
    told = part.data.get("plan")
    match = _PLAN_TEXT.search(part.text)
    if not (_APPROVED.search(part.text[:600]) or match or isinstance(told, str)):
        return
    refusals.approved(step, part)
    offset = match.end() if match else 0
    plan = part.text[offset:] if match else told if isinstance(told, str) and told else pending.text
    sentences = split(plan)
    if not sentences:
        return
    title = sentences[0]
    place = Ref(step.seq, index, offset + title.start, offset + title.end) if match else Ref(step.seq, index)
    recording.found(step, AnchorType.DECISION, title.text, place, 0.9, Truth.STATED, "decision.plan", rationale="approved plan")
    if match:
        apply.read(step, index, offset, [s for s in sentences[1:] if s.kind is not title.kind], Setting.REPORT, Truth.CLAIMED)


def refused(step: FoldStep, index: int, part: Part, pending: Pending | None = None) -> bool:
    """The person's words in a refusal are theirs: what they lay down, or else a correction as a whole."""
    if not _REFUSED.search(part.text[:600]):
        return False
    match = _SAID.search(part.text)
    refusals.refused(step, part, pending, part.text[match.end() :] if match else "")
    if match is None:
        return True
    sentences = [s for s in split(part.text[match.end() :]) if s.text]
    if sentences and not user.listen(step, index, match.end(), sentences):
        _whole(step, index, match.end(), sentences)
    if sentences:
        step.state.latest_request = step.quote(
            index, match.end() + sentences[0].start, match.end() + min(sentences[-1].end, sentences[0].start + 500)
        )
    return True


def _whole(step: FoldStep, index: int, offset: int, sentences: list[Sentence]) -> None:
    first, last = sentences[0], sentences[min(2, len(sentences) - 1)]
    text = step.message.parts[index].text[offset + first.start : offset + last.end]
    if len(content(text, 3)) >= 2:
        recording.found(
            step,
            AnchorType.CORRECTION,
            text,
            Ref(step.seq, index, offset + first.start, offset + last.end),
            0.95,
            Truth.STATED,
            "correction.refusal",
        )
