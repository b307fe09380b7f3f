"""The time that the server takes for each page of a big team and each panel that keeps up by itself, middleware and rendering included,
and how often it asks the database."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.contrib import admin
from django.test import Client
from django.urls import reverse

from continuity.models import Anchor, Conversation, Message, Segment, Team, User
from continuity.views.access import TEAM
from continuity.warmup import settle
from diagnostics.bench.counting import measure
from diagnostics.bench.rows import BenchRow
from handoffs.models import Handoff

TARGET_MS = 100.0
CHOSEN = 200  # of each kind, so that samples do not all show the same one
# Addresses that take nothing but the name.
LISTS: Mapping[str, str] = {
    "home": "",
    "conversations": "",
    "conversations, one status": "status=active",
    "conversations, words in titles": "q=rewrite",
    "handoffs": "",
    "handoffs, one status": "status=ready",
    "import": "",
    "search": "",
    "search, a frequent word": "q=handle+empty",
    "diagnostics": "",
    "diagnostics, 90 days": "days=90",
    "team": "",
    "keys": "",
    "audit": "",
    "profile": "",
}
# What htmx asks for in a page, by the id of the element that takes it: what keeps up, what follows a filter, what is expanded in place.
PANELS: Mapping[str, tuple[str, str, str]] = {
    "home, what needs me": ("home", "needs", ""),
    "conversations, the next rows": ("conversations", "results", "sort=use"),
    "handoffs, the lowest": ("handoffs", "results", "sort=lowest"),
    "conversation, its use": ("conversation", "use", ""),
    "conversation, what fits a budget": ("prepare", "preview", "budget=4000&style=structured"),
    "anchors, of one state": ("anchors", "results", "state=current"),
    "messages, later ones": ("messages", "later", "after=40"),
    "course, the next segments": ("course", "", "level=2"),
    "handoff, its head": ("handoff", "handoff-head", ""),
    "handoff, another style": ("handoff", "panel", "style=narrative"),
    **{f"segment, level {level}": ("segment", "", f"level={level}") for level in range(4)},
}
OF_CONVERSATION = ("conversation", "anchors", "course", "messages", "prepare", "end")
OF_HANDOFF = ("handoff", "handoff-lines", "handoff-difference", "handoff-history", "resume", "package")
OF_CHAIN = ("chain",)


def seeded_team() -> Team | None:
    """The latest team that was seeded."""
    return Team.objects.filter(slug__startswith="seed-").order_by("-created_at").first()


def size(team: Team) -> dict[str, int]:
    return {
        "conversations": Conversation.objects.filter(team=team).count(),
        "messages": Message.objects.filter(team=team).count(),
        "handoffs": Handoff.objects.filter(team=team).count(),
    }


def measured(team: Team, n: int) -> Iterator[BenchRow]:
    """A row for each page and panel, `n` requests of a member of the team each, and for the admin's first page and each of its lists.

    This process first loads what the process that serves pages loads before it serves any.
    """
    settle()
    member = User.objects.filter(memberships__team=team).order_by("created_at")[0]
    asking = _browser(member, team)
    for name, address in _addresses(team):
        yield _measure(name, asking, address, n)
    for name, target, address in _panels(team):
        yield _measure(f"panel: {name}", asking, address, n, {"HX-Request": "true", "HX-Target": target})
    operator = User.objects.filter(is_superuser=True, is_active=True).order_by("created_at").first()
    if operator is not None:
        operating = _browser(operator)
        for name in ("index", *sorted(f"{model._meta.label_lower.replace('.', '_')}_changelist" for model in admin.site._registry)):
            yield _measure(f"admin: {name.removesuffix('_changelist')}", operating, _always(reverse(f"admin:{name}")), n)


def _browser(user: User, team: Team | None = None) -> Client:
    """Signed in, in this team where one is given."""
    browser = Client(headers={"Host": "localhost"})
    browser.force_login(user)
    if team is not None:
        session = browser.session
        session[TEAM] = team.slug
        session.save()
    return browser


def _addresses(team: Team) -> Iterator[tuple[str, Callable[[], str]]]:
    for name, query in LISTS.items():
        yield name, _always(_with(reverse(name.partition(",")[0]), query))
    shown = _Shown(team)
    for page in (*OF_CONVERSATION, *OF_HANDOFF, *OF_CHAIN, "message", "segment", "anchor"):
        yield page, shown.address(page)


def _panels(team: Team) -> Iterator[tuple[str, str, Callable[[], str]]]:
    shown = _Shown(team)
    for name, (page, target, query) in PANELS.items():
        yield name, target, shown.address(page, query)


class _Shown:
    """Rows of the team that pages show, chosen as by dice that always fall the same way."""

    def __init__(self, team: Team) -> None:
        self._rng = random.Random(1)
        conversations = list(Conversation.objects.filter(team=team).order_by("id").values_list("id", flat=True)[:CHOSEN])
        handoffs = list(Handoff.objects.filter(team=team).order_by("id").values_list("id", "chain_id")[:CHOSEN])
        segments = Segment.objects.filter(team=team).order_by("id").values_list("conversation_id", "id")[:CHOSEN]
        anchors = Anchor.objects.filter(team=team).order_by("id").values_list("conversation_id", "key")[:CHOSEN]
        of_conversation: list[dict[str, Any]] = [{"conversation_id": found} for found in conversations]
        going_on = Conversation.objects.filter(team=team).going_on()
        prepared = [{"conversation_id": found} for found in going_on.order_by("id").values_list("id", flat=True)[:CHOSEN]]
        of_handoff = [{"handoff_id": handoff} for handoff, _chain in handoffs]
        of_chain = [{"chain_id": chain} for _handoff, chain in handoffs]
        self._chosen: dict[str, list[dict[str, Any]]] = {
            **dict.fromkeys(OF_CONVERSATION, of_conversation),
            "prepare": prepared,
            **dict.fromkeys(OF_HANDOFF, of_handoff),
            **dict.fromkeys(OF_CHAIN, of_chain),
            "message": [{**one, "seq": 5} for one in of_conversation],
            "segment": [{"conversation_id": one, "segment_id": other} for one, other in segments],
            "anchor": [{"conversation_id": one, "key": other} for one, other in anchors],
        }

    def address(self, page: str, query: str = "") -> Callable[[], str]:
        """Of another row each time; always the same where the page is of the team."""
        choices = self._chosen.get(page, [{}])
        return lambda: _with(reverse(page, kwargs=self._rng.choice(choices)), query)


def _with(address: str, query: str) -> str:
    return f"{address}?{query}" if query else address


def _always(address: str) -> Callable[[], str]:
    return lambda: address


def _measure(name: str, browser: Client, address: Callable[[], str], n: int, headers: Mapping[str, str] | None = None) -> BenchRow:
    """`n` requests. Raises RuntimeError on any other answer than 200."""
    return measure(name, lambda: _get(browser, address(), headers), n, TARGET_MS)


def _get(browser: Client, address: str, headers: Mapping[str, str] | None = None) -> None:
    answer = browser.get(address, headers=dict(headers or {}))
    if answer.status_code != 200:
        raise RuntimeError(f"{address} answered {answer.status_code}")
