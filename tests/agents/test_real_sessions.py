"""An agent at work in a real session dies: its backup is told what readers labelled as the request, the state and the next step of it."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from continuity.models import Conversation, Team
from continuity.services.recording import conversations
from continuity.transcripts import Message, open_transcript
from diagnostics.evaluation.labels import read_labels
from diagnostics.evaluation.material import Case, cases
from diagnostics.evaluation.scoring import ScoreFigure, score
from diagnostics.evaluation.wording import share
from handoffs.models import Resumption
from handoffs.services.chains import backup_handoff
from tests.agents.runner import Runner
from tests.api.caller import Caller
from tests.beyond import beyond
from tests.evaluation.labelled import EVALUATION, needs_shared

LABELS = sorted(EVALUATION.glob("labels/*.json"))
# Of the content words of the labelled request and next step: what each labelled session reaches (docs/quality.md).
REACHED = 0.75


def recorded(team: Team, case: Case) -> Conversation:
    """The session up to where it was labelled."""
    made = conversations.create(team=team, title="real", source_tool=case.labels.format, max_context_tokens=1_000_000)
    with open_transcript(case.transcript, format=case.labels.format, cut=case.labels.cut) as transcript:
        messages = (event for event in transcript if isinstance(event, Message))
        while batch := list(islice(messages, 500)):
            conversations.append(team=team, conversation_id=made.id, messages=batch)
    return made


def taken_over(runner: Runner, conversation: Conversation) -> dict[str, Any]:
    """The order of the backup of an agent that died in this conversation."""
    runner.start("backup")
    runner.start("worker", strategy="replace", backup="backup", conversation_id=str(conversation.id))
    runner.dies("worker")
    backup_handoff.relieve_pending()
    [order] = runner.orders("backup")
    return order


@needs_shared
@pytest.mark.parametrize("path", beyond(1, LABELS), ids=lambda path: path.stem)
def test_it_works(team: Team, runner: Runner, path: Path) -> None:
    [case] = cases([path], default=EVALUATION, transcripts=None)
    labels = case.labels
    order = taken_over(runner, recorded(team, case))
    caller = Caller.of(team)
    briefing = caller.get(f"/handoffs/{order['handoff_id']}/directive", format="system").content.decode()

    told = {what: share(getattr(labels, what), briefing) for what in ("objective", "next_step")}
    assert all(found >= REACHED for found in told.values()), told
    others = [each for each in map(read_labels, LABELS) if each.name != labels.name]
    foreign = [share(sentence, briefing) for each in others for sentence in (each.objective, each.next_step)]
    assert max(foreign, default=0.0) < REACHED, "the measure tells this session's request and next step from any other's"
    assert ("Wait for the user before going on." in briefing) is labels.waiting_for_user, "whose turn it is"

    found = score(labels, briefing).figures
    assert (found[ScoreFigure.TASKS_OPEN].value or 0) >= 0.5, "what is left of the request"
    assert (found[ScoreFigure.CRITICAL].value or 0) >= 0.6, "the state: what must not be lost"
    assert labels.cwd in briefing and labels.branch in briefing, "the state: where the work stands"

    arrived = Resumption.objects.get(conversation_id=order["conversation_id"])
    assert arrived.report["isSeamless"], arrived.report
    critical = receipt(caller, order)["unacknowledged"]
    given = {name for listed in re.findall(r"\[([^]\n]*)\]", briefing) for name in re.findall(r"\b[atfm]\d+\b", listed)}
    assert given >= set(critical), "all that is critical stands in it, with its source"
    told_back = receipt(caller, order, *sorted(given))
    assert (told_back["unacknowledged"], told_back["unknown"]) == ([], [])


def receipt(caller: Caller, order: dict[str, Any], *acknowledged: str) -> dict[str, Any]:
    answer = caller.post(f"/handoffs/{order['handoff_id']}/receipt", {"acknowledged": list(acknowledged)})
    assert answer.status_code == 201, answer.content
    return dict(answer.json())
