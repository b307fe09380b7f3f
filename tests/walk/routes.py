"""Every route of the site, from Django's own resolver, with the address of each in one team's world."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from continuity.models import ApiKey, Invitation, Role, Segment, Team, User
from continuity.services import apikeys, invitations
from handoffs.models import EditTarget, HandoffEdit
from tests.web.world import SEQ, World, world

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
WRITES = METHODS[1:]
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
WORDS = "Whatever-our-team-said"


@dataclass(frozen=True, slots=True)
class Route:
    """A path with its parameters in angle brackets, as the resolver has it, and the name of its pattern."""

    path: str
    name: str

    @property
    def parameters(self) -> set[str]:
        return set(PARAMETER.findall(self.path))

    def address(self, values: Mapping[str, Any]) -> str:
        """A KeyError here means: say in `values_of` what the new parameter stands for."""
        return "/" + PARAMETER.sub(lambda found: str(values[found[1]]), self.path)

    def __str__(self) -> str:
        return f"/{self.path}"


def every(entries: Any = None, before: str = "") -> Iterator[Route]:
    for entry in get_resolver().url_patterns if entries is None else entries:
        path = before + _plain(str(entry.pattern))
        if isinstance(entry, URLResolver):
            yield from every(entry.url_patterns, path)
        elif isinstance(entry, URLPattern):
            yield Route(path, entry.name or "")


def _plain(pattern: str) -> str:
    """The admin still has patterns that are regular expressions."""
    return re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", pattern).removeprefix("^").replace("\\", "").removesuffix("$").removesuffix("\\Z")


ADMIN = [route for route in every() if route.path.startswith("admin/") and route.name != "admin-login"]
ROUTES = [route for route in every() if route not in ADMIN]


@dataclass(frozen=True, slots=True)
class Place:
    """A team's world, and what stands for each parameter of a route in it."""

    world: World
    values: Mapping[str, Any]


def place(team: Team, owner: User, now: Any) -> Place:
    there = world(team, owner, WORDS)
    segment = Segment.objects.create(team=team, conversation=there.conversation, first_seq=1, last_seq=2, topic=WORDS)
    edit = HandoffEdit.objects.create(team=team, handoff=there.handoff, action="pin", target=EditTarget.ANCHOR, key=WORDS, made_by=owner)
    invitation, token = invitations.create(team=team, role=Role.MEMBER, by=owner, now=now)
    key, _ = apikeys.issue(team=team, name=WORDS, created_by=owner)
    return Place(there, values_of(there, segment, edit, invitation, key, owner, token))


def values_of(
    there: World, segment: Segment, edit: HandoffEdit, invitation: Invitation, key: ApiKey, owner: User, token: str
) -> dict[str, Any]:
    return {
        "conversation_id": there.conversation.id,
        "handoff_id": there.handoff.id,
        "chain_id": there.handoff.chain_id,
        "any_id": there.handoff.chain_id,
        "job_id": there.job.id,
        "seq": SEQ,
        "segment_id": segment.id,
        "edit_id": edit.id,
        "user_id": owner.id,
        "invitation_id": invitation.id,
        "key_id": key.id,
        "token": token,
        "uidb64": "MQ",
        "anything": "nothing/of/the/kind",
    }
