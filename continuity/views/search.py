"""The page that searches what was recorded."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity import queries
from continuity.core.errors import Invalid
from continuity.knowledge.model import AnchorType
from continuity.models import Anchor, CheckedOutCommit, Conversation, Team
from continuity.services.search import searching
from continuity.services.search.searching import Hit
from continuity.views.access import MemberRequest, member_page

PAGE_SIZE, COMMITS = 20, 10
LEDGERS = 5  # corrections for which is looked up what of the agent's they answer
KINDS = [("", "Everything"), ("message", "Messages"), ("anchor", "Anchors")]
ROLES = [("", "Anybody"), ("user", "People"), ("assistant", "Agents"), ("tool", "Tools"), ("system", "System")]


@dataclass(frozen=True, slots=True)
class ShownHit:
    """A hit; of an anchor with its row, which says what it replaced or answered. `apart` is its conversation, where another one on the page
    has the same title."""

    hit: Hit
    anchor: Anchor | None
    apart: Conversation | None = None

    @property
    def conversation_id(self) -> UUID:
        return self.hit.conversation_id


class Search(forms.Form):
    q = forms.CharField(label="Search", required=False, max_length=searching.LONGEST, widget=forms.TextInput({"type": "search"}))
    kind = forms.ChoiceField(label="Look in", required=False, choices=KINDS)
    role = forms.ChoiceField(label="Said by", required=False, choices=ROLES)
    tool = forms.CharField(label="Calls the tool", required=False, max_length=200)
    since = forms.DateTimeField(label="Since", required=False, widget=forms.DateInput({"type": "date"}))
    until = forms.DateTimeField(label="Before", required=False, widget=forms.DateInput({"type": "date"}))
    conversation = forms.UUIDField(required=False, widget=forms.HiddenInput)


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """The page, or under htmx its results."""
    form = Search(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {}
    shown: dict[str, Any] = {"form": form, "words": chosen.get("q", ""), "paged": "after" in request.GET}
    if chosen.get("q"):
        shown |= {**_found(request, chosen), "commits": _commits(request, chosen["q"])}
    return render(request, "search/search.html#results" if request.htmx else "search/search.html", shown)


def _found(request: MemberRequest, chosen: dict[str, Any]) -> dict[str, Any]:
    """What was found, or what to say instead where the words, or a link to a later page, say nothing."""
    within: UUID | None = chosen["conversation"]
    filters = searching.Filters(within, chosen["kind"], chosen["role"], chosen["tool"], "", chosen["since"], chosen["until"])
    cursor = request.GET.get("after", "")
    try:
        found = searching.find(
            team=request.principal.team, words=chosen["q"], filters=filters, cursor=cursor, limit=PAGE_SIZE, else_any=True
        )
    except Invalid as invalid:
        return {"refused": invalid.detail}
    return {
        "found": found,
        "groups": _with_anchors(request.principal.team, _by_conversation(found.hits)),
        "next": found.next_cursor,
        "among": searching.CANDIDATES,
    }


def _with_anchors(team: Team, hits: Sequence[Hit]) -> list[ShownHit]:
    """With what each anchor replaced, and where that is nothing known, what of the agent's a correction answers. Nine queries at most."""
    anchors = Anchor.objects.filter(team=team).in_bulk([hit.id for hit in hits if hit.kind == "anchor"])
    if anchors:
        queries.set_replaced(anchors.values())
        queries.name_people(anchors.values())
    corrections = [each for each in anchors.values() if each.type == AnchorType.CORRECTION and not each.replaced]
    for anchor in corrections[:LEDGERS]:
        anchor.answers = queries.answer_of(anchor)
    apart = _same_titles(team, hits)
    return [ShownHit(hit, anchors.get(hit.id), apart.get(hit.conversation_id)) for hit in hits]


def _same_titles(team: Team, hits: Sequence[Hit]) -> dict[UUID, Conversation]:
    """The conversations that another one of these has the title of. One query where any repeats."""
    named = {hit.conversation_id: hit.title for hit in hits}
    counts = Counter(named.values())
    same = [each for each, title in named.items() if counts[title] > 1]
    return Conversation.objects.visible_to(team).only("branch", "active_at").in_bulk(same) if same else {}


def _commits(request: MemberRequest, words: str) -> Sequence[CheckedOutCommit]:
    """Where a commit of this hash, or of one that begins so, was worked on; the latest. One query, none where the words are no hash."""
    rows = CheckedOutCommit.objects.visible_to(request.principal.team).named(words)
    return (
        []
        if rows.query.is_empty()
        else list(rows.select_related("conversation").defer("conversation__metadata").order_by("-created_at", "-id")[:COMMITS])
    )


def _by_conversation(hits: Sequence[Hit]) -> Sequence[Hit]:
    """The same ones: conversations in the order of their best, and in each its hits in theirs."""
    first = {hit.conversation_id: place for place, hit in reversed(list(enumerate(hits)))}
    return sorted(hits, key=lambda hit: first[hit.conversation_id])
