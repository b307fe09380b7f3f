"""The time that the server takes for each page of a big team, middleware and rendering included, and how often it asks the database."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.test import Client
from django.urls import reverse

from continuity.models import Anchor, Conversation, Message, Segment, Team, User
from continuity.views.access import TEAM
from diagnostics.bench.counting import measure
from diagnostics.bench.rows import Row
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
}
ADMIN = ("index", "continuity_conversation_changelist", "continuity_message_changelist", "handoffs_handoff_changelist")
OF_CONVERSATION = ("conversation", "anchors", "course", "messages", "prepare", "end")
OF_HANDOFF = ("handoff", "handoff-lines", "handoff-difference", "handoff-history", "resume", "package")
OF_CHAIN = ("chain",)


def seeded() -> Team | None:
    """The latest team that was seeded."""
    return Team.objects.filter(slug__startswith="seed-").order_by("-created_at").first()


def size(team: Team) -> dict[str, int]:
    return {
        "conversations": Conversation.objects.filter(team=team).count(),
        "messages": Message.objects.filter(team=team).count(),
        "handoffs": Handoff.objects.filter(team=team).count(),
    }


def measured(team: Team, n: int) -> Iterator[Row]:
    """A row for each page, `n` requests of a member of the team each, and for pages of the admin."""
    member = User.objects.filter(memberships__team=team).order_by("created_at")[0]
    asking = _browser(member, team)
    for name, address in _addresses(team):
        yield _measure(name, asking, address, n)
    operator = User.objects.filter(is_superuser=True, is_active=True).order_by("created_at").first()
    if operator is not None:
        operating = _browser(operator)
        for name in ADMIN:
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
        yield name, _always(reverse(name.partition(",")[0]) + (f"?{query}" if query else ""))
    rng = random.Random(1)
    conversations = list(Conversation.objects.filter(team=team).order_by("id").values_list("id", flat=True)[:CHOSEN])
    handoffs = list(Handoff.objects.filter(team=team).order_by("id").values_list("id", "chain_id")[:CHOSEN])
    segments = Segment.objects.filter(team=team).order_by("id").values_list("conversation_id", "id")[:CHOSEN]
    anchors = Anchor.objects.filter(team=team).order_by("id").values_list("conversation_id", "key")[:CHOSEN]
    yield from _of("conversation_id", OF_CONVERSATION, conversations, rng)
    yield from _of("handoff_id", OF_HANDOFF, [handoff for handoff, _chain in handoffs], rng)
    yield from _of("chain_id", OF_CHAIN, [chain for _handoff, chain in handoffs], rng)
    yield "message", _any([{"conversation_id": found, "seq": 5} for found in conversations], "message", rng)
    yield "segment", _any([{"conversation_id": one, "segment_id": other} for one, other in segments], "segment", rng)
    yield "anchor", _any([{"conversation_id": one, "key": other} for one, other in anchors], "anchor", rng)


def _of(name: str, pages: Sequence[str], ids: Sequence[UUID], rng: random.Random) -> Iterator[tuple[str, Callable[[], str]]]:
    for page in pages:
        yield page, _any([{name: found} for found in ids], page, rng)


def _any(choices: Sequence[dict[str, Any]], page: str, rng: random.Random) -> Callable[[], str]:
    return lambda: reverse(page, kwargs=rng.choice(choices))


def _always(address: str) -> Callable[[], str]:
    return lambda: address


def _measure(name: str, browser: Client, address: Callable[[], str], n: int) -> Row:
    """`n` requests. Raises RuntimeError on any other answer than 200."""
    return measure(name, lambda: _get(browser, address()), n, TARGET_MS)


def _get(browser: Client, address: str) -> None:
    answer = browser.get(address)
    if answer.status_code != 200:
        raise RuntimeError(f"{address} answered {answer.status_code}")
