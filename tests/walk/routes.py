"""Every route of the site, from Django's own resolver, with the address of each in one team's world."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from continuity.models import Anchor, Role, Segment, Task, Team, User
from continuity.services.accounts import apikeys, invitations
from continuity.services.jobs import jobs
from continuity.services.recording import conversations, heads, imports
from diagnostics.alerting.rules import AlertRule
from diagnostics.models import Alert
from diagnostics.services import alert_raising
from handoffs.notes.note import HandoffNote
from handoffs.services.chains import resumption
from handoffs.services.edits import package_edits
from handoffs.services.notes import note_writer
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from handoffs.services.ratings import rating
from handoffs.services.ratings.rating import Ratings
from tests.api.rows import in_a_repository, on_the_bus, running, sharing
from tests.handoffs.story import story
from tests.words import said

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
WRITES = METHODS[1:]
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
WORDS, COMMIT = "Whatever-our-team-said", "c0ffee" * 6


@dataclass(frozen=True, slots=True)
class Route:
    """A path with its parameters in angle brackets, as the resolver has it, and the name of its pattern."""

    path: str
    name: str

    @property
    def plain(self) -> str:
        """The path as OpenAPI writes it."""
        return "/" + PARAMETER.sub(r"{\1}", self.path)

    @property
    def parameters(self) -> set[str]:
        return set(PARAMETER.findall(self.path))

    def address(self, values: Mapping[str, Any]) -> str:
        if "anchors/" in self.path:
            values = {**values, "key": values["anchor_key"]}  # Anchors and tasks have keys of their own.
        return "/" + PARAMETER.sub(lambda found: str(values[found[1]]), self.path)

    def __str__(self) -> str:
        return self.plain


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
    """What stands for each parameter of a route in a team's world: a KeyError means that a new one has to be entered here."""

    values: Mapping[str, Any]


def place(team: Team, owner: User, now: datetime) -> Place:
    """A row of each kind, made by the services."""
    conversation = story(team, owner=owner, metadata={"words": WORDS})
    conversations.append(team=team, conversation_id=conversation.id, messages=[said(f"Never forget {WORDS}.")])
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of(), owner=owner)
    edit = package_edits.add(team=team, handoff_id=handoff.id, type="Task", text=WORDS, author=Author(owner))
    resumed = resumption.resume(team=team, handoff_id=handoff.id, resumed_by=owner)
    job = jobs.submit(team=team, kind=imports.KIND, arguments={"name": WORDS})
    invitation, token = invitations.create(team=team, role=Role.MEMBER, by=owner, now=now)
    key, _ = apikeys.issue(team=team, name=WORDS, created_by=owner)
    note = note_writer.write(team=team, conversation_id=conversation.id, note=HandoffNote(lessons=(f"{WORDS} was learnt.",))).note
    statement = note.statements.get()
    rated = rating.rate(team=team, handoff_id=handoff.id, author=Author(owner), ratings=Ratings(missing=[WORDS]))[0]
    heads.note(conversation=conversation, commit=COMMIT)
    segment = Segment.objects.filter(conversation=conversation).order_by("first_seq").first()
    task = Task.objects.filter(conversation=conversation).order_by("key").first()
    anchor = Anchor.objects.filter(conversation=conversation).order_by("key").first()
    alert_raising.raise_once(AlertRule.REPLAY_GAP, subject=job.id, team=team, message=WORDS, now=now)
    assert segment
    assert anchor
    assert task
    return Place(
        {
            "conversation_id": conversation.id,
            "handoff_id": handoff.id,
            "chain_id": handoff.chain_id,
            "any_id": handoff.chain_id,
            "job_id": job.id,
            "seq": 1,
            "commit": COMMIT,
            "segment_id": segment.id,
            "edit_id": edit.id,
            "resumption_id": resumed.resumption.id,
            "user_id": owner.id,
            "invitation_id": invitation.id,
            "key_id": key.id,
            "note_id": note.id,
            "statement": statement.key,
            "reference": "a1",
            "rating_id": rated.id,
            "key": task.key,
            "anchor_key": anchor.key,
            "token": token,
            "uidb64": "MQ",
            "anything": "nothing/of/the/kind",
            "alert_id": Alert.objects.get(team=team, rule=AlertRule.REPLAY_GAP).id,
            **on_the_bus(team, WORDS),
            **running(team, WORDS),
            **sharing(team, WORDS),
            **in_a_repository(conversation, WORDS),
        }
    )
