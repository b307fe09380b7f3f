"""An agent at work in a real session dies: its backup is told what readers labelled as the request, the state and the next step of it."""

from __future__ import annotations

from itertools import islice

import pytest

from continuity.models import Conversation, Team
from continuity.services.recording import conversations
from continuity.transcripts import Message, open_transcript
from diagnostics.evaluation.coverage import covers
from diagnostics.evaluation.material import Case, cases
from diagnostics.evaluation.scoring import ScoreFigure, score
from handoffs.models import Resumption
from handoffs.services.chains import relief
from tests.agents.runner import Runner
from tests.api.caller import Caller
from tests.beyond import beyond
from tests.evaluation.labelled import EVALUATION, needs_shared

LABELS = sorted(EVALUATION.glob("labels/*.json"))


def recorded(team: Team, case: Case) -> Conversation:
    """The session up to where it was labelled."""
    made = conversations.create(team=team, title="real", source_tool=case.labels.format, max_context_tokens=1_000_000)
    with open_transcript(case.transcript, format=case.labels.format, cut=case.labels.cut) as transcript:
        messages = (event for event in transcript if isinstance(event, Message))
        while batch := list(islice(messages, 500)):
            conversations.append(team=team, conversation_id=made.id, messages=batch)
    return made


@needs_shared
@pytest.mark.parametrize("path", beyond(1, LABELS), ids=lambda path: path.stem)
def test_it_works(team: Team, runner: Runner, path) -> None:
    [case] = cases([path], default=EVALUATION, transcripts=None)
    conversation = recorded(team, case)
    runner.start("backup")
    runner.start("worker", strategy="replace", backup="backup", conversation_id=str(conversation.id))
    runner.dies("worker")
    relief.relieve_left()
    [order] = runner.orders("backup")
    briefing = Caller.of(team).get(f"/handoffs/{order['handoff_id']}/directive", format="system").content.decode()
    found = score(case.labels, briefing).figures
    open_tasks = [task for task in case.labels.tasks if not task.completed]
    assert (found[ScoreFigure.TASKS_OPEN].value or 0) >= 0.5, "the request"
    assert (found[ScoreFigure.CRITICAL].value or 0) >= 0.6, "the state"
    assert any(covers(briefing.lower(), task.tokens) for task in open_tasks) or not open_tasks, "the next step"
    receipt = Resumption.objects.get(conversation_id=order["conversation_id"])
    assert receipt.report["isSeamless"], receipt.report
