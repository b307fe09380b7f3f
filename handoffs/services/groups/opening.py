"""A group that begins with a question."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from continuity.core.transactions import atomic
from continuity.models import Group, Team
from continuity.services.groups import groups, turns
from continuity.services.groups.groups import GivenParticipant
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from continuity.transcripts.base.sanitise import clean_text


@atomic
def open_group(
    *, team: Team, participants: Sequence[GivenParticipant], now: datetime, message: str = "", **about: Any
) -> Group:
    """Makes the group, and says `message` in it as a person. Raises what making and saying raise; nothing is stored then."""
    made = groups.create(team=team, participants=participants, now=now, **about)
    if message.strip():
        turns.hear(team=team, group_id=made.id, messages=[said(message)], now=now)
    return groups.get(team=team, group_id=made.id)


def said(text: str) -> Message:
    """What a person wrote, as a message."""
    return Message(external_id="", role=Role.USER, parts=(Part(PartKind.TEXT, Voice.PERSON, clean_text(text)),))
