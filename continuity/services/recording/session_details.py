"""Folder and branch as a caller gave them, until the session itself shows others.

`Conversation.given` holds, by name, a mark of what the folded messages showed when it was given: where they show something else since,
that is newer.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from continuity.models import Conversation
from continuity.services.knowledge import queries
from continuity.transcripts.base import model as transcript

NAMES = ("cwd", "branch")


def at_opening(values: Mapping[str, str]) -> dict[str, str]:
    """For a conversation that is opened with these fields."""
    return {name: queries.mark_of("") for name in NAMES if values.get(name)}


def after(read: Conversation, values: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that follow from a change of these fields. A query where one of the names is among them."""
    named = [name for name in NAMES if name in values]
    if not named:
        return {}
    situation = queries.outline(read.id)[0].situation
    return {"given": read.given | {name: queries.mark_of(getattr(situation, name)) for name in named}}


def forget_superseded(conversation: Conversation, messages: Sequence[transcript.Message]) -> None:
    """Drops details that newer messages carry themselves; on the instance only."""
    for name in NAMES:
        if name in conversation.given and any(getattr(message, name) for message in messages if not message.agent):
            conversation.given = {each: shown for each, shown in conversation.given.items() if each != name}
