"""A person's message to a group, as plain text."""

from datetime import datetime
from uuid import UUID

from continuity.core.errors import Invalid
from continuity.models import Team
from continuity.services.groups import groups, turns
from continuity.services.recording.conversations import Appended
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from continuity.transcripts.base.sanitise import clean_text

LONGEST = 100_000


def say(*, team: Team, group_id: UUID, text: str, now: datetime) -> Appended:
    """As `turns.hear`. Raises NotFound, and Invalid where nothing is said, or too much."""
    groups.get(team=team, group_id=group_id)
    if not 0 < len(text.strip()) <= LONGEST:
        raise Invalid(f"Write something, at most {LONGEST:,} characters.", field="text")
    message = Message(external_id="", role=Role.USER, parts=(Part(PartKind.TEXT, Voice.PERSON, clean_text(text)),))
    return turns.hear(team=team, group_id=group_id, messages=[message], now=now)
