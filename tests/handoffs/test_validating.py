"""A stored package is checked again on demand, against the conversation as it is now, and is not changed by it."""

from typing import Any

import pytest

from continuity.core.errors import NotFound
from continuity.models import Team
from continuity.services.recording import conversations
from handoffs.contract.model import Severity
from handoffs.models import FidelityCheck, Handoff
from handoffs.services.packages import preparation, validation
from tests.api.caller import Caller
from tests.handoffs.story import RULE, story
from tests.words import said


def prepare(team: Team) -> Handoff:
    return preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of(budget=2000))


def columns(handoff: Handoff) -> dict[str, Any]:
    return {**Handoff.objects.filter(id=handoff.id).values().get()}


def test_it_works(team: Team) -> None:
    handoff = prepare(team)
    before = columns(handoff)
    done = validation.validate(team=team, handoff_id=handoff.id)
    assert done.report.passes_threshold
    assert (done.report.overall_fidelity_score, done.messages_since) == (handoff.fidelity_score, 0)
    assert columns(handoff) == before
    assert FidelityCheck.objects.filter(handoff=handoff).count() == 1, "it is no check that averages count"


def test_a_package_that_lacks_a_critical_anchor_fails(team: Team) -> None:
    handoff = prepare(team)
    Handoff.objects.filter(id=handoff.id).update(text=handoff.text.replace(RULE, "").replace("Never change the public API", ""))
    done = validation.validate(team=team, handoff_id=handoff.id)
    assert not done.report.passes_threshold
    assert [issue for issue in done.report.issues if issue.severity is Severity.CRITICAL]


def test_what_was_said_since_is_missing(team: Team) -> None:
    handoff = prepare(team)
    later = "Never send real mail from the staging machine, because customers read it and answer to it."
    conversations.append(team=team, conversation_id=handoff.conversation_id, messages=[said(later)])
    done = validation.validate(team=team, handoff_id=handoff.id)
    assert done.messages_since == 1
    missing = next(issue.description for issue in done.report.issues if "real mail" in issue.description)
    # As CONT-06 quotes: 50 characters and an ellipsis.
    quote = missing.partition("not preserved: ")[2]
    assert later.startswith(quote.removesuffix("…"))
    assert quote.endswith("…")
    assert len(quote) <= 51


def test_over_the_api(team: Team, other_team: Team) -> None:
    handoff = prepare(team)
    told = Caller.of(team, ["read"]).post(f"/handoffs/{handoff.id}/validate").json()
    assert (told["handoff_id"], told["status"], told["passes"], told["messages_since"]) == (str(handoff.id), "ready", True, 0)
    assert told["report"]["overallFidelityScore"] == handoff.fidelity_score
    assert Caller.of(other_team).post(f"/handoffs/{handoff.id}/validate").status_code == 404


def test_another_teams_package_is_not_found(other_team: Team, team: Team) -> None:
    with pytest.raises(NotFound):
        validation.validate(team=other_team, handoff_id=prepare(team).id)
