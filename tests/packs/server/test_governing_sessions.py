"""What a session's pressure brings about, by the team's mode: nothing, a draft package with what it taught, or a handoff to go on from."""

from typing import Any

import pytest
from django.utils import timezone

from continuity.models import Conversation, Team
from continuity.services.jobs import broker
from handoffs.governor import GovernorPolicy
from handoffs.models import Artifact, Handoff, HandoffStatus, PackSession
from handoffs.services.chains import resumption
from handoffs.services.packs import governing
from tests.packs.server.test_reviewing import WRONG
from tests.packs.server.world import Asking, give, recorded
from tests.words import answered, said

pytestmark = pytest.mark.django_db
TURNS = GovernorPolicy().turns


def pressed(team: Team, mode: str) -> Asking:
    """A session that taught something, one turn before a snapshot is due."""
    give(team, mode)
    told = [said("Mend parse_header in src/parser.py"), answered("I cut the header at the first colon."), said(WRONG), answered("Done.")]
    session = Asking(team, recorded(team, *told, name="pressed"))
    session.make()
    PackSession.objects.update(turns=TURNS - 1, snapshot_at=timezone.now())
    return session


def is_sent(session: Asking, *, begin_anew: bool) -> bool:
    """Whether a worker was asked: the broker keeps a sign of it for ten seconds."""
    sign = f"continuity:once:handoffs.secure_session:{(str(session.conversation.id), begin_anew)}"
    return bool(broker.client().exists(sign))


def packages(conversation: Conversation) -> list[tuple[str, bool]]:
    return list(Handoff.objects.filter(conversation=conversation).values_list("status", "automatic"))


def test_it_works(team: Team, django_capture_on_commit_callbacks: Any) -> None:
    session = pressed(team, "snapshot")
    with django_capture_on_commit_callbacks(execute=True):
        told = session.ask()
    assert (told.action, told.reasons) == ("snapshot", (f"{TURNS} turns",))
    assert is_sent(session, begin_anew=False)
    for _ in range(2):  # A worker that was killed does it again.
        governing.secure(conversation_id=session.conversation.id, begin_anew=False)
    assert packages(session.conversation) == [(HandoffStatus.DRAFT, False)]
    assert [artifact.sentences[0]["text"] for artifact in Artifact.objects.all()] == [WRONG]
    row = PackSession.objects.get()
    assert (row.snapshots, row.snapshot_turns) == (1, TURNS)
    assert session.ask().action == "ok", "it counts anew"


def test_a_session_that_is_due_begins_anew_from_a_handoff(team: Team) -> None:
    session = pressed(team, "rehydrate")
    governing.secure(conversation_id=session.conversation.id, begin_anew=True)
    assert packages(session.conversation) == [(HandoffStatus.READY, True)]
    made = Handoff.objects.get()
    resumed = resumption.resume(team=team, handoff_id=made.id, source_tool="codex", external_id="next")
    assert WRONG in made.text and resumed.conversation.id != session.conversation.id, "the next session goes on from it"


def test_passive_says_what_it_would_have_done_and_does_nothing(team: Team, django_capture_on_commit_callbacks: Any) -> None:
    session = pressed(team, "passive")
    with django_capture_on_commit_callbacks(execute=True):
        assert session.ask().action == "snapshot"
    assert PackSession.objects.get().wanted == "snapshot"
    assert not is_sent(session, begin_anew=False) and not packages(session.conversation) and not Artifact.objects.exists()
