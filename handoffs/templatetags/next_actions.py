"""The next action of a conversation, for pages of every app."""

from django import template
from django.utils import timezone

from continuity.models import Conversation, Scope
from handoffs import queries
from handoffs.next_action import NextAction, next_action
from handoffs.policy import decision

register = template.Library()


@register.filter
def plainly(reason: str) -> str:
    """Why to hand off or not, in plain words."""
    return decision.in_plain_words(reason)


@register.simple_tag(takes_context=True)
def action_for(context: template.Context, conversation: Conversation) -> NextAction:
    """One query, none where the page has its handoffs already."""
    known = context.get("handoffs")
    latest = queries.latest_of(conversation) if known is None else next(iter(known), None)
    now = context.get("now") or timezone.now()
    principal = context["principal"]
    if principal.user is not None and conversation.owner_id == principal.user.id:
        conversation.owner = principal.user  # who need not be read again
    may, reader = Scope.HANDOFF in principal.scopes, principal.user.id if principal.user else None
    return next_action(conversation, latest, now=now, may=may, reader=reader)
