"""Handoffs on the first page: what is ready is resumed from there."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import ConversationFactory
from tests.web import rows
from tests.web.test_home import full, home


def test_it_works(team, owner, teammate):
    """Also of a session that is not near its limit; the newest version of it, unless it was resumed, or made long ago."""
    conversation = ConversationFactory.create(team=team, owner=owner, title="Calm one")
    rows.handoff(conversation, created_at=timezone.now() - timedelta(hours=1))
    handoff = rows.handoff(conversation)
    rows.handoff(ConversationFactory.create(team=team, owner=owner, title="Of last month"), created_at=timezone.now() - timedelta(days=20))
    rows.handoff(ConversationFactory.create(team=team, owner=owner, title="Ended", status="invalidated"))
    page = home(owner)
    waits = page.split("Ready to be resumed")[1].split("</section>")[0]
    assert waits.count("<li") == 1
    assert f'href="/handoffs/{handoff.id}#resume-title"' in waits
    assert ">Resume</a>" in waits
    assert "Nothing waits for you" not in page
    assert "Ready to be resumed" not in home(teammate)
    handoff.status, handoff.resumed_at = "resumed", timezone.now()
    handoff.save()
    assert "Nothing waits for you" in home(owner)


@pytest.mark.parametrize(("of", "action"), [({"status": "draft"}, "Review the handoff"), ({"offered": True}, "Open the handoff")])
def test_what_is_not_ready_for_one_is_not_resumed_from_there(team, owner, teammate, of, action):
    offered = {"offered_to": teammate, "offered_by": owner, "offered_at": timezone.now()} if of.pop("offered", False) else {}
    rows.handoff(full(team, owner=owner), **of, **offered)
    page = home(owner).split("Near their limit")[1].split("</section>")[0]
    assert f">{action}</a>" in page
    assert ">Resume</a>" not in page
