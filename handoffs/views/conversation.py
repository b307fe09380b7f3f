"""One conversation: how full it is, what must not be lost, what is to be done, and what was said last."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity.models import Scope
from continuity.services import conversations
from continuity.views.access import MemberRequest, member_page
from continuity.views.window import window
from handoffs import queries
from handoffs.services import decisions, policies
from handoffs.views.forms import PrepareForm
from handoffs.views.gauge import gauge


@member_page
@require_safe
def page(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """A fixed number of queries, however long the conversation."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    policy = policies.effective(team=request.principal.team, conversation=conversation).policy
    decision = decisions.decision_on(conversation, policy)
    shown = {
        "conversation": conversation,
        "usage": decisions.usage_of(conversation),
        "decision": decision,
        "gauge": gauge(conversation.utilization, policy),
        "unfolded": conversation.last_seq - conversation.folded_seq,
        "groups": queries.anchor_groups(conversation),
        "tasks": queries.tasks_of(conversation),
        "files": queries.changed_files(conversation),
        "handoffs": queries.handoffs_of(conversation),
        "origin": queries.origin_of(conversation),
        "window": window(conversation, {}),
        "form": PrepareForm(),
        "may_prepare": Scope.HANDOFF in request.principal.scopes,
    }
    return render(request, "conversations/conversation.html", shown)
