"""A session that begins with the directive of a handoff is the conversation that this handoff was resumed as."""

import logging
from collections.abc import Mapping
from typing import Any

from continuity.core.errors import GateClosed, HandoffGone, NotFound, NotResumable, SessionInvalidated
from continuity.models import Conversation, Team, User
from continuity.services.recording import conversations, sessions
from handoffs.models import Resumption
from handoffs.services.chains import resumption

logger = logging.getLogger("continuity.handoffs")


def successor(team: Team, owner: User | None, directive_digest: str, about: Mapping[str, Any]) -> Conversation | None:
    """The conversation that waits for this session since the team resumed the handoff; where another session took it, a branch beside it.

    None where the team resumed no handoff with this directive, or it can't be resumed any more. Raises Conflict, TooMany.
    """
    waiting = Conversation.objects.visible_to(team).filter(resumption__team=team, resumption__directive_digest=directive_digest)
    found = sessions.take(waiting=waiting, owner=owner, about=about)
    known = Resumption.objects.filter(team=team, directive_digest=directive_digest).order_by("-created_at")
    handoff_id = None if found else known.values_list("handoff_id", flat=True).first()
    if handoff_id is None:
        return found
    conversations.check_new(team, about["source_tool"], about["external_id"])  # Who opened it at the same moment has taken the other.
    known_of_it = {
        name: about[name] for name in ("source_tool", "external_id", "model", "max_context_tokens", "window_source") if about.get(name)
    }
    try:
        return resumption.resume(team=team, handoff_id=handoff_id, resumed_by=owner, fork=True, **known_of_it).conversation
    except (NotFound, HandoffGone, NotResumable, SessionInvalidated, GateClosed) as refused:
        logger.info("A session begins with a directive that can't be resumed (%s)", refused.code)
        return None
