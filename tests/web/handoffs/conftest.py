"""A handoff with a note, which its owner resumed, and the owner's browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.test import Client

    from continuity.models import Team, User
    from handoffs.models import Handoff


# Models can be imported only once Django is set up, which is after this file is read: so it imports them where it uses them.
@pytest.fixture
def handoff(team: Team, owner: User) -> Handoff:
    from handoffs.notes import form
    from handoffs.services.chains import resumption
    from handoffs.services.notes import note_writer
    from handoffs.services.packages import handoffs, preparation
    from tests.handoffs.story import story

    conversation = story(team)
    note = form.read({"lessons": ["Leases of the queue are short."], "history": ["The user approved the release."]})
    note_writer.write(team=team, conversation_id=conversation.id, note=note)
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of(), owner=owner)
    resumption.resume(team=team, handoff_id=made.id, resumed_by=owner)
    return handoffs.get(team=team, handoff_id=made.id)


@pytest.fixture
def client(owner: User) -> Client:
    from tests.web.world import browser

    return browser(owner)
