"""Metrics of an event. An event without figures (written by an older release) has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from diagnostics.measuring import instruments as of
from diagnostics.measuring.instruments import Instrument

Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Observation:
    """One value for an instrument: what a counter grows by, or what a histogram has seen. `subject` is the value of its id label."""

    instrument: Instrument
    value: float
    subject: str = ""
    labels: tuple[tuple[str, str], ...] = ()


def observe(name: str, subject: str, payload: Payload) -> Iterator[Observation]:
    """The observations that follow from the event `name` about `subject`."""
    reader = _READERS.get(name)
    if reader is not None:
        yield from reader(subject, payload)


def _appended(conversation: str, payload: Payload) -> Iterator[Observation]:
    if "utilization" in payload:
        yield Observation(of.UTILIZATION, payload["utilization"] * 100)


def _distilled(conversation: str, payload: Payload) -> Iterator[Observation]:
    if "duration_ms" not in payload:
        return
    for fault, count in payload.get("faults", {}).items():
        rule, _, error = fault.partition(" ")
        yield Observation(of.RULE_FAULTS, count, labels=(("rule", rule), ("error", error)))
    yield Observation(of.EXTRACTION_TIME, payload["duration_ms"])
    if payload["tasks"]:
        yield Observation(of.EXTRACTED, payload["tasks"])
        yield Observation(of.TASKS_EXTRACTED, payload["tasks"], conversation)


def _skipped(conversation: str, payload: Payload) -> Iterator[Observation]:
    for which, count in payload["counts"].items():
        reader, _, error = which.partition(" ")
        yield Observation(of.MESSAGES_SKIPPED, count, labels=(("reader", reader), ("error", error)))


def _prepared(handoff: str, payload: Payload) -> Iterator[Observation]:
    if "duration_ms" not in payload:
        return
    conversation = payload["conversation_id"]
    yield Observation(of.HANDOFFS_TOTAL, 1, conversation, (("success", "true"),))
    yield Observation(of.HANDOFFS_SUCCESS, 1, conversation)
    yield Observation(of.HANDOFF_LATENCY, payload["duration_ms"], conversation)
    for kind, count in payload["anchors"].items():
        yield Observation(of.ANCHORS_PRESERVED, count, conversation, (("type", kind),))
    yield from _checked(conversation, payload)


def _failed(handoff: str, payload: Payload) -> Iterator[Observation]:
    """A package whose check failed has a score; an attempt that broke off has none."""
    if "duration_ms" not in payload:
        return
    conversation = payload["conversation_id"]
    yield Observation(of.HANDOFFS_TOTAL, 1, conversation, (("success", "false"),))
    yield Observation(of.HANDOFFS_FAILED, 1, conversation, (("reason", payload["reason"]),))
    yield Observation(of.HANDOFF_LATENCY, payload["duration_ms"], conversation)
    if "fidelity" in payload:
        yield from _checked(conversation, payload)


def _checked(conversation: str, payload: Payload) -> Iterator[Observation]:
    yield Observation(of.FIDELITY_SCORE, payload["fidelity"], conversation)
    if payload["utilization"] is not None:
        yield Observation(of.CONTEXT_UTILIZATION, payload["utilization"] * 100, conversation)
    yield Observation(of.HANDOFFS_TRIGGERED, 1, labels=(("trigger", payload["trigger"]),))
    yield Observation(of.DIRECTIVES, 1, labels=(("style", payload["style"]),))


def _contended(conversation: str, payload: Payload) -> Iterator[Observation]:
    yield Observation(of.CONFLICTS, 1)


def _deferred(subject: str, payload: Payload) -> Iterator[Observation]:
    yield Observation(of.WORK_DEFERRED, 1, labels=(("kind", payload["kind"]),))


def _abandoned(subject: str, payload: Payload) -> Iterator[Observation]:
    yield Observation(of.LETTERS_DEAD, 1)


def _rated(handoff: str, payload: Payload) -> Iterator[Observation]:
    for kind, count in payload["ratings"].items():
        yield Observation(of.RATINGS, count, labels=(("kind", kind),))


def _extended(chain: str, payload: Payload) -> Iterator[Observation]:
    yield Observation(of.STORED_CHAIN_LENGTH, payload["length"])


def _resumption(success: str) -> Callable[[str, Payload], Iterator[Observation]]:
    def read(handoff: str, payload: Payload) -> Iterator[Observation]:
        if "duration_ms" in payload:
            yield Observation(of.RESUMPTIONS_TOTAL, 1, handoff, (("success", success),))
            yield Observation(of.RESUMPTION_LATENCY, payload["duration_ms"], handoff)

    return read


def _lost(agent: str, payload: Payload) -> Iterator[Observation]:
    yield Observation(of.AGENT_DETECTION, payload["detection_ms"])


def _fell(agent: str, payload: Payload) -> Iterator[Observation]:
    """Once for each failure, whatever is done about it; what people ordered is none."""
    if payload["cause"] != "ordered" and payload.get("reason", payload["cause"]) == payload["cause"]:
        yield Observation(of.AGENT_FAILURES, 1, labels=(("cause", payload["cause"]),))


def _met(state: str, payload: Payload) -> Iterator[Observation]:
    yield Observation(of.STATE_CONFLICTS, 1, labels=(("conflict", payload["conflict"]),))


def _well_again(agent: str, payload: Payload) -> Iterator[Observation]:
    yield Observation(of.AGENT_RECOVERY, payload["recovery_ms"])
    yield Observation(of.AGENT_TRANSITION, payload["transition_ms"])


def _selected(group: str, payload: Payload) -> Iterator[Observation]:
    yield Observation(of.SELECTION_LATENCY, payload["took_ms"])


_READERS: dict[str, Callable[[str, Payload], Iterator[Observation]]] = {
    "state.conflicted": _met,
    "messages.appended": _appended,
    "knowledge.distilled": _distilled,
    "messages.skipped": _skipped,
    "handoff.prepared": _prepared,
    "handoff.failed": _failed,
    "work.deferred": _deferred,
    "delivery.abandoned": _abandoned,
    "chain.extended": _extended,
    "conversation.contended": _contended,
    "handoff.rated": _rated,
    "handoff.resumed": _resumption("true"),
    "resumption.failed": _resumption("false"),
    "agent.disconnected": _lost,
    "agent.recovering": _fell,
    "agent.lost": _fell,
    "agent.failed": _fell,
    "agent.recovered": _well_again,
    "group.speaker_selected": _selected,
    "agent.replaced": _well_again,
}
