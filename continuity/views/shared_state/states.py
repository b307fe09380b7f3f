"""Pages of shared states: a list, and one state as a tree with its versions, what changed, and what a person has to choose."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from continuity.accounts.roles import Permission
from continuity.core.errors import Invalid, NotFound
from continuity.models import Agent, Conversation, StateEntry
from continuity.services.shared_state import state_queries, states
from continuity.services.shared_state.states import StateWriter
from continuity.shared_state import changes
from continuity.shared_state.names import StateScope
from continuity.shared_state.trees import TreeNode, tree
from continuity.shared_state.values import ABSENT
from continuity.transcripts.base.sanitise import clean_text
from continuity.views import cursors
from continuity.views.access import MemberRequest, member_page
from continuity.views.shared_state import version_words

SIZE = 50
VERSIONS = 30


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """The list, or under htmx its rows."""
    team, asked = request.principal.team, request.GET
    scope, prefix, waiting = asked.get("scope", ""), clean_text(asked.get("prefix", ""))[:120], asked.get("unresolved") == "yes"
    if scope and scope not in list(StateScope):
        raise Invalid(f"The scope of a state is {', '.join(StateScope)}.", field="scope")
    rows = (
        state_queries.listed(team=team, scope=scope, prefix=prefix, unresolved=waiting)
        .defer("stored")
        .select_related("agent", "conversation")
    )
    rows = rows.defer("stored", "conversation__metadata", "agent__config")
    found = cursors.in_order(rows, {"position": int}, after=asked.get("after", ""), size=SIZE)
    shown = {
        "page": found,
        "paged": bool(asked.get("after")),
        "scopes": list(StateScope),
        "scope": scope,
        "prefix": prefix,
        "waiting": waiting,
    }
    return render(request, "states/states.html#list" if request.htmx else "states/states.html", shown)


@member_page
@require_safe
def state(request: MemberRequest, state_id: UUID) -> HttpResponse:
    """One state, as it is or as it was at a version."""
    entry = state_queries.by_id(team=request.principal.team, state_id=state_id)
    number = _number(request.GET.get("version", ""), entry.shown)
    value = state_queries.value_at(entry, number) if number else ABSENT
    contenders = state_queries.contenders(entry)
    versions = list(state_queries.versions(entry).order_by("-number")[:VERSIONS])
    compared = _number(request.GET.get("against", ""), version_words.read_before(entry, versions, number))
    agents = version_words.writers(entry, versions)
    spoken = version_words.said_then(entry, versions)
    shown: dict[str, Any] = {
        "state": entry,
        "owner": _owner(entry),
        "number": number,
        "tree": tree(value),
        "gone": value is ABSENT,
        "compared": compared,
        "changed": _changed(entry, compared, number),
        "older": number - 1 if number > entry.oldest else None,
        "newer": number + 1 if number < entry.version else None,
        "versions": [(each, version_words.outcome(entry, each), agents.get(each.number), spoken.get(each.number)) for each in versions],
        "contenders": [
            (
                each,
                agents.get(each.number),
                spoken.get(each.number),
                _tree_at(entry, each.number),
                _changed(entry, entry.shown, each.number),
            )
            for each in contenders
        ],
        "present": _tree_at(entry, entry.shown) if contenders and entry.shown else [],
        "before": next((each for each in versions if each.number == entry.shown), None),
        "before_agent": agents.get(entry.shown),
        "before_spoken": spoken.get(entry.shown),
        "may_write": request.principal.may(Permission.WRITE),
    }
    return render(request, "states/state.html#course" if request.htmx else "states/state.html", shown)


@member_page
@require_POST
def restore(request: MemberRequest, state_id: UUID) -> HttpResponse:
    """Makes an earlier version the latest one, unless somebody changed the state since the page was read."""
    request.principal.require(Permission.WRITE)
    number = _number(request.POST.get("version", ""), 0)
    writer = StateWriter(author=request.principal.name, now=timezone.now(), base=_number(request.POST.get("base", ""), 0), strict=True)
    written = states.restore(team=request.principal.team, state_id=state_id, number=number, writer=writer)
    messages.success(request, f"Version {number} is back, as version {written.number}.")
    return redirect("state", state_id)


@member_page
@require_POST
def resolve(request: MemberRequest, state_id: UUID) -> HttpResponse:
    """Ends a conflict by the version chosen; the others stay in the history."""
    request.principal.require(Permission.WRITE)
    take, base = _number(request.POST.get("take", ""), 0), _number(request.POST.get("base", ""), 0)
    now, by = timezone.now(), request.principal.name
    states.resolve(team=request.principal.team, state_id=state_id, take=take, base=base, author=by, now=now)
    messages.success(request, "Chosen: everybody reads this value now.")
    return redirect("state", state_id)


def _tree_at(entry: StateEntry, number: int) -> Sequence[TreeNode]:
    """The value of a version, as a tree; nothing where it removed the value."""
    value = state_queries.value_at(entry, number)
    return [] if value is ABSENT else tree(value)


def _changed(entry: StateEntry, first: int, second: int) -> changes.ChangeList | None:
    """None where the first is not kept any more."""
    if first and first < entry.oldest:
        return None
    return state_queries.difference(entry, first=first, second=second) if second else changes.ChangeList([], 0)


def _owner(entry: StateEntry) -> str:
    if entry.agent_id:
        return Agent.objects.values_list("name", flat=True).get(id=entry.agent_id)
    if entry.conversation_id:
        return Conversation.objects.values_list("title", flat=True).get(id=entry.conversation_id) or "a conversation"
    return entry.team.name


def _number(text: str, otherwise: int) -> int:
    """Raises NotFound."""
    if not text:
        return otherwise
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise NotFound(noun="version")
    return int(text)
