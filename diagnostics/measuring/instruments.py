"""Every instrument of the specifications (CONT-02 to CONT-06; 004 FR-043 to FR-048), under its own name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MILLISECONDS = (5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0)
PERCENT = (10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 75.0, 80.0, 85.0, 90.0, 95.0, 100.0)
SCORES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)
LENGTHS = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0)


class InstrumentKind(StrEnum):
    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class Instrument:
    """A metric. `id_label` is the label that holds an id, whose values are bounded; `bounds` are a histogram's bucket limits."""

    name: str
    kind: InstrumentKind
    description: str
    unit: str = ""
    id_label: str = ""
    bounds: tuple[float, ...] = ()


def _counter(name: str, description: str, id_label: str = "") -> Instrument:
    return Instrument(name, InstrumentKind.COUNTER, description, id_label=id_label)


def _gauge(name: str, description: str, id_label: str = "") -> Instrument:
    return Instrument(name, InstrumentKind.GAUGE, description, id_label=id_label)


def _histogram(name: str, description: str, unit: str, bounds: tuple[float, ...], id_label: str = "") -> Instrument:
    return Instrument(name, InstrumentKind.HISTOGRAM, description, unit, id_label, bounds)


CONVERSATION, HANDOFF, CHAIN = "conversation_id", "handoff_id", "chain_id"

HANDOFFS_TOTAL = _counter("lexichord.continuity.handoffs.total", "Total handoff attempts", CONVERSATION)
HANDOFFS_SUCCESS = _counter("lexichord.continuity.handoffs.success", "Successful handoffs", CONVERSATION)
HANDOFFS_FAILED = _counter("lexichord.continuity.handoffs.failed", "Failed handoffs", CONVERSATION)
HANDOFF_LATENCY = _histogram("lexichord.continuity.handoff.latency", "Handoff preparation time", "ms", MILLISECONDS, CONVERSATION)
RESUMPTIONS_TOTAL = _counter("lexichord.continuity.resumptions.total", "Total session resumptions", HANDOFF)
RESUMPTION_LATENCY = _histogram("lexichord.continuity.resumption.latency", "Resumption time", "ms", MILLISECONDS, HANDOFF)
CONTEXT_UTILIZATION = _histogram("lexichord.continuity.context.utilization", "Context utilization at trigger", "%", PERCENT, CONVERSATION)
CHAIN_LENGTH = _gauge("lexichord.continuity.chain.length", "Current handoff chain length", CHAIN)
ANCHORS_PRESERVED = _counter("lexichord.continuity.anchors.preserved", "Anchors preserved per handoff", CONVERSATION)
TASKS_EXTRACTED = _counter("lexichord.continuity.tasks.extracted", "Pending tasks extracted", CONVERSATION)
FIDELITY_SCORE = _histogram("lexichord.continuity.fidelity.score", "Fidelity validation score", "1", SCORES, CONVERSATION)

STORED_HANDOFFS = _gauge("Agents.Continuity.Storage.HandoffCount", "Handoffs in the store")
STORED_CHAIN_LENGTH = _histogram("Agents.Continuity.Storage.ChainLength", "Length of a chain when it was extended", "1", LENGTHS)
TOKEN_USAGE = _gauge("Agents.Continuity.TokenUsage", "Tokens in the context window of conversations in use", CONVERSATION)
UTILIZATION = _histogram("Agents.Continuity.Utilization", "Share of the context window in use after each recording", "%", PERCENT)
HANDOFFS_TRIGGERED = _counter("Agents.Continuity.HandoffsTriggered", "Handoffs set off, by hand or by a decision")
EXTRACTED = _counter("Agents.Continuity.TaskExtraction.Count", "Pending tasks found")
EXTRACTION_TIME = _histogram("Agents.Continuity.TaskExtraction.Duration", "Time of a distilling step", "ms", MILLISECONDS)
DIRECTIVES = _counter("Agents.Continuity.Directive.Generated", "Directives stored with a handoff, by style")
RATINGS = _counter(
    "continuity.handoffs.ratings", "What readers of received handoffs said of them, by kind: useful, not_useful, wrong_line, missing"
)
CONFLICTS = _counter("optimistic_lock_conflicts", "Writes to a conversation that found another version than they had read (FR-005)")
MESSAGES_SKIPPED = _counter("continuity.messages.skipped", "Messages that a reader passed over since reading them raised an exception")
RULE_FAULTS = _counter("continuity.rules.faults", "Times that a rule raised an exception on a sentence, which counts as no match")
WORK_DEFERRED = _counter("background_work_failures", "Work on one row in the background that failed and was put off, by kind")
LETTERS_DEAD = _counter("event_dead_letters", "Events that a subscriber did not take in all its attempts")
BUS_COUNTERS = tuple(
    _counter(name, description)
    for name, description in (
        ("latency_violation", "Events that took more than 10 ms to their handlers (FR-013)"),
        ("event_replay_gap_detected", "Subscribers that missed events which are gone"),
        ("event_replay_failure_total", "Replayed events that their subscriber failed on"),
        ("event_deliveries", "Events handed to subscribers"),
        ("event_acknowledgements", "Events that subscribers handled"),
        ("session_rejection_count", "Conversations of agents that were refused, at the limit or in degradation (FR-037)"),
    )
)
FAST = (1.0, 2.0, 3.0, 5.0, 7.5, 10.0, 25.0, 50.0, 100.0, 250.0, 1000.0, 5000.0)
RESTORE_LATENCY = _histogram("session_restore_latency_ms", "From the call to restore a conversation until its answer", "ms", FAST)
PROPAGATION_LATENCY = _histogram("event_propagation_latency_ms", "From publish() to the handler of a subscriber", "ms", FAST)
HANDOUT_LATENCY = _histogram("event_handout_latency_ms", "From publish() to the hand-out to a subscriber", "ms", FAST)
SELECTION_LATENCY = _histogram("speaker_selection_latency_ms", "From when a group needs a speaker until one is chosen", "ms", FAST)
BUS_HISTOGRAMS = (RESTORE_LATENCY, PROPAGATION_LATENCY, HANDOUT_LATENCY)
# Operations whose percentiles of the last five minutes are told beside their buckets (FR-047).
SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}
PERCENTILES = {
    of.name: {
        label: _gauge(f"{of.name.removesuffix('_ms')}_{label}_ms", f"{of.description}: {label} of the last five minutes")
        for label in SHARES
    }
    for of in (RESTORE_LATENCY, PROPAGATION_LATENCY, SELECTION_LATENCY)
}
LONG = (*FAST, 10_000.0, 30_000.0, 60_000.0)
AGENT_DETECTION = _histogram("agent_detection_latency_ms", "From an agent's last beat until it was found lost (FR-047)", "ms", LONG)
AGENT_RECOVERY = _histogram("agent_recovery_latency_ms", "From an agent's failure until it or its backup was ready", "ms", LONG)
AGENT_TRANSITION = _histogram("agent_transition_latency_ms", "From the claim of a new instance, or the failure, until ready", "ms", LONG)
AGENT_FAILURES = _counter("agent_failures", "Failures of agents, by cause")
STATE_CONFLICTS = _counter("state_conflicts", "Writes of shared state whose writer had missed others', by what became of them (FR-024)")
AGENT_HEALTH = _gauge("agent_health_status", "1 for the status that an agent has; without an id, for that of all together", "agent_id")
AGENTS_DEGRADED = _gauge("degraded_agent_count", "Agents that go on without knowing all that they missed")
SESSIONS = _gauge("session_count", "Conversations of agents that are live (FR-038)")
EVENT_THROUGHPUT = _counter("event_throughput", "Events that were processed")
ERROR_RATE = _gauge("error_rate", "Share of the requests of the last five minutes that failed for a reason of ours, in percent")
SHUTDOWN = _gauge("shutdown_duration_seconds", "How long the last stop of this installation took (FR-054)")
UPTIME = _gauge("uptime_share", "Share of the month for which it was ready, in percent (FR-039)")
AGENT_CPU = _gauge("agent_cpu_cores", "Processor's cores that an agent's processes use (FR-048)", "agent_id")
AGENT_MEMORY = _gauge("agent_memory_bytes", "Memory that an agent's processes hold", "agent_id")
AGENT_DISK = _gauge("agent_disk_io_bytes_per_second", "What an agent's processes read from and write to disks", "agent_id")
RESOURCES = (AGENT_CPU, AGENT_MEMORY, AGENT_DISK)

INSTRUMENTS = {
    instrument.name: instrument
    for instrument in (
        *(HANDOFFS_TOTAL, HANDOFFS_SUCCESS, HANDOFFS_FAILED, HANDOFF_LATENCY, RESUMPTIONS_TOTAL, RESUMPTION_LATENCY),
        *(CONTEXT_UTILIZATION, CHAIN_LENGTH, ANCHORS_PRESERVED, TASKS_EXTRACTED, FIDELITY_SCORE),
        *(STORED_HANDOFFS, STORED_CHAIN_LENGTH, TOKEN_USAGE, UTILIZATION, HANDOFFS_TRIGGERED),
        *(EXTRACTED, EXTRACTION_TIME, DIRECTIVES, RATINGS, CONFLICTS, MESSAGES_SKIPPED, RULE_FAULTS),
        *(AGENT_DETECTION, AGENT_RECOVERY, AGENT_TRANSITION, AGENT_FAILURES, AGENT_HEALTH, AGENTS_DEGRADED, STATE_CONFLICTS),
        *(WORK_DEFERRED, LETTERS_DEAD, *BUS_COUNTERS, *BUS_HISTOGRAMS),
        *(gauge for gauges in PERCENTILES.values() for gauge in gauges.values()),
        *(SELECTION_LATENCY, SESSIONS, EVENT_THROUGHPUT, ERROR_RATE, SHUTDOWN, UPTIME, *RESOURCES),
    )
}
