"""The audit log of the team one acts in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from continuity.accounts.audited_events import AUDITED
from continuity.accounts.roles import Permission
from continuity.models import ApiKey, AuditEntry, Erasure, ErasureScope, Team, User
from continuity.views.access import MemberRequest, member_page
from continuity.views.cursors import newest_first

PAGE_SIZE = 50
NONE = UUID(int=0)
# The page of what an event was done to, by the first part of its name: one for each id, or one for all.
PAGES = {"handoff": "handoff", "rating": "handoff", "state": "state", "group": "group", "artifact": "repository"} | dict.fromkeys(
    ("conversation", "secret", "anchor", "task", "note"), "conversation"
)
PAGES_OF_ALL = {"policy": "policy", "pack_policy": "pack-policy", "subscription": "events", "api_key": "keys", "client_code": "keys"}
PAGES_OF_ALL |= dict.fromkeys(("team", "member", "invitation"), "team")


# Fields of the policy as its page calls them; the last one follows from the others.
POLICY_WORDS = {
    "handoff_at": "hand off at",
    "long_task_at": "hand off a long task at",
    "approaching_at": "warn at",
    "fold_at": "read ahead at",
}
FOLLOWS = "boundary_at"
OF_KEY = "’s key "  # between whose a key is and how it is called
PEOPLE, KEYS = 20, 500  # that are looked for by one name, and of theirs


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One row: `who` names whose key it was, `address` is the page of what it was done to, `erased` that this was of a conversation that
    was erased since, or by this."""

    entry: AuditEntry
    who: str
    what: str
    address: str
    values: str
    erased: bool


class AuditFilter(forms.Form):
    who = forms.CharField(
        label="Who",
        required=False,
        max_length=254,
        widget=forms.TextInput({"type": "search", "placeholder": "Person or key"}),
    )
    action = forms.ChoiceField(label="What", required=False, choices=[("", "Anything"), *AUDITED.items()])
    since = forms.DateField(label="From", required=False, widget=forms.DateInput({"type": "date"}))
    until = forms.DateField(label="To", required=False, widget=forms.DateInput({"type": "date"}))


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """The page, or under htmx its results: what people and keys did, the latest first. Three queries for the rows, and two to find who is
    named."""
    request.principal.require(Permission.AUDIT)
    form = AuditFilter(request.GET)
    form.is_valid()
    chosen = {name: value for name, value in form.cleaned_data.items() if value}
    rows = AuditEntry.objects.filter(team=request.principal.team, **_matching(chosen))
    if who := chosen.get("who", "").strip():
        rows = rows.filter(_done_by(who, request.principal.team))
    found = newest_first(rows, by="created_at", after=request.GET.get("after", ""), size=PAGE_SIZE)
    shown = {
        "form": form,
        "page": found,
        "told": _audit_rows(request.principal.team, found.rows),
        "filtered": bool(chosen),
        "paged": "after" in request.GET,
    }
    return render(request, "people/audit.html#results" if request.htmx else "people/audit.html", shown)


def _audit_rows(team: Team, entries: Sequence[AuditEntry]) -> list[AuditRow]:
    known: dict[str, str] = {}
    makers = User.objects.in_bulk({entry.user_id for entry in entries if entry.key_id and entry.user_id})
    about = {conversation for entry in entries if (conversation := _conversation(entry))}
    erased = Erasure.objects.filter(team=team, scope=ErasureScope.CONVERSATION, conversation__in=about)
    gone = {str(conversation) for conversation in erased.values_list("conversation", flat=True)}
    return [
        AuditRow(
            entry,
            _who(entry, makers),
            AUDITED.get(entry.action, entry.action),
            "" if (over := _conversation(entry) in gone) else _address(entry, known),
            _values(entry),
            over,
        )
        for entry in entries
    ]


def _who(entry: AuditEntry, makers: Mapping[UUID, User]) -> str:
    """A key by whose it is: two may be called the same."""
    maker = makers.get(entry.user_id) if entry.key_id and entry.user_id else None
    return f"{maker}{OF_KEY}{entry.actor.removeprefix('key ')}" if maker else entry.actor


def _done_by(who: str, team: Team) -> Q:
    """What a person did, named by address or name, themselves or by their keys; or what was done by the keys of this name, all of them or
    those of the person before it, as the rows say. By names of actors, which an index finds. Two queries."""
    owner, of_key, key = who.partition(OF_KEY)
    people = list(User.objects.filter(Q(email__iexact=owner) | Q(name__iexact=owner)).values_list("id", "email")[:PEOPLE])
    if of_key:
        return Q(actor=f"key {key}", user_id__in=[id for id, _ in people])
    keys = ApiKey.objects.visible_to(team).filter(created_by__in=[id for id, _ in people]).values_list("created_by", "name")[:KEYS]
    named = Q(actor__in=[who, who.lower(), f"key {who}", *(email for _, email in people)])
    for id in {id for id, _ in keys}:
        named |= Q(actor__in=[f"key {name}" for maker, name in keys if maker == id], user_id=id)
    return named


def _conversation(entry: AuditEntry) -> str:
    """The conversation that this was done to, or to something in it; "" where the entry names none."""
    if PAGES.get(entry.action.partition(".")[0]) == "conversation":
        return str(entry.subject_id or "")
    return str(entry.details.get("conversation_id", ""))


def _address(entry: AuditEntry, known: dict[str, str]) -> str:
    """The page of what this was done to; "" where there is none, or none any more. `known` keeps the addresses of this request's pages:
    finding one takes longer than all else of a row."""
    noun, _, done = entry.action.partition(".")
    if noun in PAGES_OF_ALL:
        return known.get(noun) or known.setdefault(noun, reverse(PAGES_OF_ALL[noun]))
    if noun == "agent" and done != "removed" and entry.subject:
        return reverse("agent", args=[entry.subject])
    if entry.subject_id is None or noun not in PAGES or entry.action == "state.erased":
        return ""
    if noun == "anchor" and "key" in entry.details:
        return reverse("anchor", args=[entry.subject_id, entry.details["key"]])
    name = PAGES[noun]
    page_of_none = known.get(name) or known.setdefault(name, reverse(name, args=[NONE]))
    return page_of_none.replace(str(NONE), str(entry.subject_id))


def _values(entry: AuditEntry) -> str:
    """What a policy's fields were and are; a field that was not set has the default."""
    changed = entry.details.get("values", {}) if entry.action == "policy.changed" else {}
    named = {POLICY_WORDS.get(name, name.replace("_", " ")): pair for name, pair in changed.items() if name != FOLLOWS}
    return ", ".join(f"{name}: {_value(before)} → {_value(after)}" for name, (before, after) in named.items())


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.0%}"
    return "default" if value is None or value == "" else str(value).lower()


def _matching(chosen: dict[str, Any]) -> dict[str, Any]:
    wanted: dict[str, Any] = {}
    if "action" in chosen:
        wanted["action"] = chosen["action"]
    if "since" in chosen:
        wanted["created_at__gte"] = _midnight(chosen["since"])
    if "until" in chosen:
        wanted["created_at__lt"] = _midnight(chosen["until"] + timedelta(days=1))
    return wanted


def _midnight(day: Any) -> datetime:
    """The beginning of a day where the reader is."""
    return datetime.combine(day, time(), tzinfo=timezone.get_current_timezone())
