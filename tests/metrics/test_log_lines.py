"""Every log line that CONT-06 §8.2 and CONT-04 §6 name: its level, its words, its fields."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Any

import pytest

from continuity.services.recording import conversations
from handoffs.contract.model import Options
from handoffs.models import Handoff, HandoffChain
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation
from tests.handoffs.story import overloaded, story
from tests.metrics.reading import value
from tests.words import said

ID = r"[0-9a-f]{8}-[0-9a-f-]{27}"


@dataclass(frozen=True)
class Line:
    """A line of the specifications: `words` as a pattern, and the fields that its metadata must have."""

    level: int
    words: str
    fields: tuple[str, ...]


LINES = {
    "track": Line(
        logging.INFO,
        rf"\[CONT:TRACK\] Token usage updated: {ID} at \d+ tokens \([\d.]+%\)",
        ("conversation_id", "total_tokens", "utilization"),
    ),
    "limit": Line(
        logging.WARNING,
        rf"\[CONT:LIMIT\] Context limit approaching: {ID} - \d+ turns remaining",
        ("conversation_id", "remaining_turns"),
    ),
    "preparing": Line(
        logging.INFO,
        rf"\[CONT:HANDOFF\] Preparing handoff: {ID} targeting \d+ tokens",
        ("conversation_id", "target_token_budget"),
    ),
    "prepared": Line(
        logging.INFO,
        rf"\[CONT:HANDOFF\] Handoff prepared: {ID} with \d+ anchors, \d+ tasks",
        ("handoff_id", "anchor_count", "task_count"),
    ),
    "failed": Line(logging.ERROR, rf"\[CONT:HANDOFF\] Handoff failed: {ID} - \S.*", ("conversation_id", "error_message")),
    "resuming": Line(logging.INFO, rf"\[CONT:RESUME\] Resuming session: {ID} -> {ID}", ("handoff_id", "new_conversation_id")),
    "resumed": Line(
        logging.INFO,
        rf"\[CONT:RESUME\] Session resumed: {ID} with \d+ anchors",
        ("new_conversation_id", "restored_anchor_count"),
    ),
    "fidelity": Line(
        logging.WARNING,
        rf"\[CONT:FIDELITY\] Low fidelity score: {ID} at [\d.]+ \(threshold: 0\.85\)",
        ("handoff_id", "fidelity_score"),
    ),
    "chain": Line(logging.INFO, rf"\[CONT:CHAIN\] Chain extended: {ID} now has \d+ handoffs", ("chain_id", "chain_length")),
    "store": Line(logging.INFO, rf"\[CONT:STORE\] Stored handoff {ID} for conversation {ID}", ("handoff_id", "conversation_id")),
}


@pytest.fixture
def work(team, caplog, django_capture_on_commit_callbacks):
    """A life in which every line has a cause."""
    caplog.set_level(logging.INFO)
    options = preparation.options_of
    with django_capture_on_commit_callbacks(execute=True):
        conversation = story(team, max_context_tokens=250)
        conversations.append(team=team, conversation_id=conversation.id, messages=[said("Go on. " * 15)])
        handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=options())
        resumption.resume(team=team, handoff_id=handoff.id)
        preparation.prepare(team=team, conversation_id=overloaded(team).id, options=options(budget=150))
    return caplog.records


def one(records: list[Any], line: Line) -> Any:
    """The first record of the line."""
    found = [record for record in records if re.fullmatch(line.words, record.getMessage())]
    assert found, [record.getMessage() for record in records]
    return found[0]


def test_it_works(work) -> None:
    assert one(work, LINES["store"]).name == "continuity.handoffs"


@pytest.mark.parametrize("name", LINES)
def test_cont06_the_line_is_there_with_its_level_and_fields(work, name: str) -> None:
    line = LINES[name]
    record = one(work, line)
    assert record.levelno == line.level
    assert set(line.fields) <= set(record.metadata)


def test_the_figures_are_those_of_the_rows(work) -> None:
    chain, low = one(work, LINES["chain"]), one(work, LINES["fidelity"])
    assert HandoffChain.objects.get(id=chain.metadata["chain_id"]).total_handoffs == chain.metadata["chain_length"] == 1
    assert Handoff.objects.get(id=low.metadata["handoff_id"]).fidelity_score == low.metadata["fidelity_score"] < 0.85


def test_an_attempt_that_breaks_off_is_told_by_the_kind_of_its_error(team, caplog) -> None:
    """An error that nobody foresaw may hold a conversation's words: the line names its class."""
    conversation = story(team)
    with pytest.raises(ValueError, match="budget"):
        preparation.prepare(team=team, conversation_id=conversation.id, options=Options(budget=1))
    record = one(caplog.records, LINES["failed"])
    assert record.levelno == logging.ERROR
    assert record.metadata["error_message"] == "ValueError"
    assert value("lexichord_continuity_handoffs_failed", conversation_id=conversation.id, reason="ValueError") == 1
    assert not Handoff.objects.exists()
