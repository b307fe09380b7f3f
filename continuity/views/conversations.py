"""The list of a team's conversations."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.conf import settings
from django.db.models import Count, F, FloatField, Q
from django.db.models.functions import Cast, Coalesce
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity.auth import Principal
from continuity.core.keyset import Order, moment
from continuity.core.thresholds import HANDOFF_AT, LONG_TASK_AT
from continuity.models import CheckedOutCommit, Conversation, ConversationStatus, Scope, Task, Team, User
from continuity.models.conversations import ConversationQuerySet
from continuity.secrets import mask_text
from continuity.templatetags.figures import status_words
from continuity.views.access import MemberRequest, member_page
from continuity.views.cursors import in_order

PAGE_SIZE = 50
ALIKE = 1000  # conversations with one of the titles that a page shows twice
CHOICES, PAIRS = 100, 1000  # tools, models and people that can be chosen from, and how many tools with a model are looked at

# Conversations whose window is not known come last.
UTILIZATION = Coalesce(Cast(F("context_tokens"), FloatField()) / F("max_context_tokens"), -1.0)
# What the list can be sorted by, largest first: the label, and the fields with what reads them back.
SORTS: dict[str, tuple[str, Order]] = {
    "": ("Latest activity", {"active_at": moment, "id": UUID}),
    "created": ("Newest", {"created_at": moment, "id": UUID}),
    "use": ("Fullest window", {"used": float, "id": UUID}),
    "messages": ("Most messages", {"message_count": int, "id": UUID}),
    "tokens": ("Most tokens", {"total_tokens": int, "id": UUID}),
}
INDEXED = {"", "created"}
USES = {
    "": "Any use",
    "low": "below 50 %",
    "half": f"50 to {LONG_TASK_AT * 100:.0f} %",
    "near": f"{LONG_TASK_AT * 100:.0f} % and more",
    "full": f"{HANDOFF_AT * 100:.0f} % and more",
}
NOBODY = "nobody"
BOUNDS = {"low": (None, 0.5), "half": (0.5, LONG_TASK_AT), "full": (HANDOFF_AT, None)}


class ConversationFilter(forms.Form):
    q = forms.CharField(label="Title, model, commit or id", required=False, max_length=200, widget=forms.TextInput({"type": "search"}))
    status = forms.ChoiceField(
        required=False, choices=[("", "Any status"), *((each.value, status_words(each.value).capitalize()) for each in ConversationStatus)]
    )
    use = forms.ChoiceField(label="Window in use", required=False, choices=list(USES.items()))
    tool = forms.ChoiceField(required=False)
    model = forms.ChoiceField(required=False)
    owner = forms.ChoiceField(label="Recorded by", required=False)
    sort = forms.ChoiceField(label="Sort by", required=False, choices=[(name, label) for name, (label, _order) in SORTS.items()])

    def __init__(self, data: Any, principal: Principal) -> None:
        """Two queries: for what the team's conversations have that one can choose from."""
        super().__init__(data)
        rows = Conversation.objects.visible_to(principal.team)
        people = User.objects.filter(memberships__team=principal.team).order_by("name", "email")[:CHOICES]
        mine = [("me", "Me"), (NOBODY, "Nobody")]
        self._choose("owner", "Anybody", [*mine, *((str(user.id), str(user)) for user in people if user != principal.user)])
        pairs = list(rows.order_by().values_list("source_tool", "model").distinct()[:PAIRS])
        for at, (name, every) in enumerate((("tool", "Every tool"), ("model", "Every model"))):
            # What would show a secret can't be chosen: the choice is its own text.
            found = sorted({pair[at] for pair in pairs if pair[at] and mask_text(pair[at]) == pair[at]})[:CHOICES]
            self._choose(name, every, [(value, value) for value in found])

    def _choose(self, name: str, every: str, choices: list[tuple[str, str]]) -> None:
        self.fields[name] = forms.ChoiceField(label=self.fields[name].label, required=False, choices=[("", every), *choices])


@member_page
@require_safe
def listing(request: MemberRequest) -> HttpResponse:
    """The page, or under htmx its results. Six queries, whatever the number of rows, and one more where titles repeat."""
    form = ConversationFilter(request.GET, request.principal)
    form.is_valid()  # what can't be chosen is left out
    chosen = {name: value for name, value in form.cleaned_data.items() if value}
    rows = _matching(Conversation.objects.visible_to(request.principal.team), chosen, request.principal)
    sort = chosen.get("sort", "")
    rows = rows.annotate(used=UTILIZATION).select_related("owner").defer("metadata", "cwd")
    page = in_order(rows, SORTS[sort][1], after=request.GET.get("after", ""), size=PAGE_SIZE, sorted_alone=sort not in INDEXED)
    open_tasks = dict(Task.objects.filter(conversation__in=page.rows).open().values_list("conversation").annotate(number=Count("id")))
    for conversation in page.rows:
        conversation.open_tasks = open_tasks.get(conversation.id, 0)
    _tell_apart(page.rows, request.principal.team)
    filtered = bool(chosen.keys() - {"sort"})
    shown = {
        "form": form,
        "page": page,
        "filtered": filtered,
        "q": chosen.get("q", ""),
        "paged": "after" in request.GET,
        "may_import": Scope.WRITE in request.principal.scopes,
        "quiet_minutes": settings.SESSION_IDLE_MINUTES,
    }
    if filtered and not page.rows:
        shown |= _others(request, chosen)
    return render(request, "conversations/list.html#results" if request.htmx else "conversations/list.html", shown)


def _others(request: MemberRequest, chosen: dict[str, str]) -> dict[str, Any]:
    """What there is where a filter finds nothing: with another status, and in all. Two queries."""
    everything = Conversation.objects.visible_to(request.principal.team)
    rest = {name: value for name, value in chosen.items() if name != "status"}
    counted = _matching(everything, rest, request.principal).order_by().values_list("status").annotate(number=Count("id"))
    found = dict(counted) if "status" in chosen else {}
    others = [(status_words(each), found[each], urlencode(rest | {"status": each})) for each in ConversationStatus if each in found]
    return {"none": status_words(chosen["status"]) if others else "", "others": others, "total": everything.count()}


def _tell_apart(conversations: Sequence[Any], team: Team) -> None:
    """Sets which of how many with the same title each one is, in the order in which they began. One query where any repeat."""
    titles = Counter(each.title for each in conversations if each.title)
    same = [title for title, number in titles.items() if number > 1]
    if not same:
        return
    rows = Conversation.objects.visible_to(team).filter(title__in=same).order_by("created_at", "id").values_list("title", "id")[:ALIKE]
    alike = defaultdict(list)
    for title, id_ in rows:
        alike[title].append(id_)
    for conversation in conversations:
        if conversation.id in (ids := alike.get(conversation.title, [])):
            conversation.alike = (ids.index(conversation.id) + 1, len(ids))


def _matching(rows: ConversationQuerySet, chosen: dict[str, str], principal: Principal) -> ConversationQuerySet:
    plain = {"status": "status", "tool": "source_tool", "model": "model"}
    rows = rows.filter(**{field: chosen[name] for name, field in plain.items() if name in chosen})
    owner = chosen.get("owner")
    if owner == NOBODY:
        rows = rows.filter(owner=None)
    elif owner:
        rows = rows.filter(owner_id=principal.user.id if principal.user and owner == "me" else UUID(owner))
    if use := chosen.get("use"):
        rows = rows.filling() if use == "near" else _used(rows, *BOUNDS[use])
    text = chosen.get("q", "").strip()
    if not text:
        return rows
    try:
        return rows.filter(id=UUID(text))
    except ValueError:
        named = Q(title__icontains=text) | Q(model__icontains=text) | Q(source_tool__icontains=text)
        commits = CheckedOutCommit.objects.visible_to(principal.team).named(text).values("conversation")
        return rows.filter(named | Q(external_id__startswith=text) | Q(id__in=commits))


def _used(rows: ConversationQuerySet, at_least: float | None, below: float | None) -> ConversationQuerySet:
    window = F("max_context_tokens")
    if at_least is not None:
        rows = rows.filter(context_tokens__gte=window * at_least)
    return rows if below is None else rows.filter(context_tokens__lt=window * below)
