"""A group that begins with a question."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from continuity.core.transactions import atomic
from continuity.models import Group, Team
from continuity.services.groups import groups, people
from continuity.services.groups.groups import ParticipantInput


@atomic
def open_group(*, team: Team, participants: Sequence[ParticipantInput], now: datetime, message: str = "", **about: Any) -> Group:
    """Makes the group, and says `message` in it as a person. Raises what making and saying raise; nothing is stored then."""
    made = groups.create(team=team, participants=participants, now=now, **about)
    if message.strip():
        people.say(team=team, group_id=made.id, text=message, now=now)
    return groups.get(team=team, group_id=made.id)
