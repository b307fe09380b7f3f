"""The whole way of a transcript: read, folded, divided, asked about, prepared in every style, checked. Nothing on it may be passed over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from continuity.knowledge import FoldState, InMemoryStore, fold
from continuity.segments import OpenSegment, segment
from continuity.transcripts import Abandoned, Message, Transcript
from continuity.usage.curve import UsageCurve, extend
from continuity.usage.tokens import counter_for, message_tokens
from handoffs.building.preparation import prepare
from handoffs.contract.model import Options, Prepared, Style
from handoffs.fidelity.probes import Bank, questions

NOW = datetime(2026, 1, 2, tzinfo=UTC)
BY_FAULT = "can't be read by this release"
COUNTER = counter_for("")


def messages_of(transcript: Transcript) -> list[Message]:
    """All messages; fails where the reader raised on a record."""
    messages = [entry for entry in transcript if not isinstance(entry, Abandoned)]
    assert [each for each in transcript.report.skipped if BY_FAULT in each.reason] == []
    return messages


def gone(messages: Sequence[Message]) -> list[Prepared]:
    """The packages of messages, in each style; fails where a message, a rule, a line or a question was passed over."""
    numbered = [(seq, message, message_tokens(message, COUNTER)) for seq, message in enumerate(messages, 1)]
    folded = fold(FoldState(), [(seq, message) for seq, message, _ in numbered])
    memory = InMemoryStore()
    memory.apply(folded.changes)
    divided = segment(OpenSegment(), numbered).skipped
    bank, unasked = Bank().read_on([(seq, message) for seq, message, _ in numbered])
    assert (folded.skipped, divided, unasked, extend(UsageCurve(), numbered).skipped) == ((), (), (), ())
    assert folded.faults == []
    knowledge = memory.knowledge(folded.state)
    made = [
        prepare(
            knowledge,
            Options(budget=budget, style=style),
            counter=COUNTER,
            now=NOW,
            handoff_id="h",
            conversation_id="c",
            probes=questions(bank),
            course=bank.course,
        )
        for style, budget in zip(Style, (1500, 4000, 900), strict=True)
    ]
    for each in made:
        left_out(each)
    return made


def left_out(made: Prepared) -> None:
    """Fails where a package had to leave a line out."""
    assert [issue.description for issue in made.report.issues if issue.component == "Package"] == []
    assert made.text.startswith("--- SESSION CONTINUATION ---")
