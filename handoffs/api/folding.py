"""Folding what is left before a handoff is prepared or resumed, outside of the transaction that an `Idempotency-Key` opens."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from continuity.api.access import ApiRequest
from continuity.services.knowledge import fold_runner
from continuity.services.model import model_extraction
from continuity.services.recording import conversations
from handoffs.services.packages import handoffs, probe_bank

Endpoint = Callable[..., Any]


def folded(endpoint: Endpoint) -> Endpoint:
    """Brings the conversation's knowledge up to date first, in many short transactions: within one long one it would keep
    everybody else out, and be lost with the process. Raises NotFound or HandoffGone as the endpoint does."""

    @wraps(endpoint)
    def after_folding(request: ApiRequest, *args: Any, **kwargs: Any) -> Any:
        if getattr(kwargs.get("query"), "wait", True):
            conversation_id = _conversation_of(request, kwargs)
            probe_bank.gather(conversation_id=conversation_id)
            if "conversation_id" in kwargs:
                model_extraction.before_preparing(conversation_id=conversation_id)
        return endpoint(request, *args, **kwargs)

    return after_folding


def caught_up(endpoint: Endpoint) -> Endpoint:
    """As `folded`, for what is only checked against the conversation's knowledge. Raises NotFound as the endpoint does."""

    @wraps(endpoint)
    def after_folding(request: ApiRequest, *args: Any, **kwargs: Any) -> Any:
        fold_runner.catch_up(conversation_id=_conversation_of(request, kwargs))
        return endpoint(request, *args, **kwargs)

    return after_folding


def _conversation_of(request: ApiRequest, named: dict[str, Any]) -> UUID:
    team = request.auth.team
    if "handoff_id" in named:
        return handoffs.get(team=team, handoff_id=named["handoff_id"]).conversation_id
    return conversations.get(team=team, conversation_id=named["conversation_id"]).id
