"""A world that is full of secrets, and every surface that could show one: pages, API, admin, directives, exports, search, events, logs."""

from __future__ import annotations

import html
import json
import logging
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from continuity.models import Conversation, Event, Job, Role, Team, User
from continuity.services.accounts import accounts
from continuity.services.jobs import jobs
from continuity.services.recording import conversations
from continuity.services.search import indexing
from continuity.services.segments import segments
from continuity.transcripts.base.model import Message
from handoffs.directive.outputs import DirectiveOutput
from handoffs.models import Handoff
from handoffs.services.edits import package_edits
from handoffs.services.exchange import package_export
from handoffs.services.packages import directives, handoffs, preparation
from handoffs.services.packages.authors import Author
from tests.api.caller import Caller
from tests.cast import PASSWORD, person
from tests.secrets.samples import SECRETS, letters
from tests.walk.routes import ROUTES, Route
from tests.web.world import browser
from tests.words import answered, called, resulted, said

pytestmark = pytest.mark.django_db


def _token() -> str:
    return "ghp_" + letters(32)


# One secret for each field that a tool or a caller of the API fills.
FIELDS = {
    name: _token() for name in ("title", "external_id", "model", "cwd", "branch", "metadata", "upload", "edit", "path", "device", "agent")
}
SHORT_FIELDS = {name: f"cont_{letters(10, '0123456789abcdef')}_{letters(12)}" for name in ("source_tool", "provider")}
PLANTED = [*{(kind, secret) for kind, secret, _ in SECRETS}, *FIELDS.items(), *SHORT_FIELDS.items()]
# Several conversations, so that each package has room for what stands in one.
SHARES = 3
PLACE: dict[str, Any] = {"cwd": f"/srv/{FIELDS['cwd']}/app", "branch": f"feature/{FIELDS['branch']}", "model": FIELDS["model"]}


def messages(samples: Iterable[tuple[str, str, str]]) -> Iterator[Message]:
    todos = []
    for number, (_, secret, around) in enumerate(samples):
        text = around.format(secret)
        yield said(f"You must always keep to this: {text}", **PLACE)
        yield answered(f"I decided to use this: {text}", **PLACE)
        yield called("Bash", {"command": f"run {number} && {text}"}, call_id=f"c{number}", **PLACE)
        yield resulted(f"Error: it failed\n{text}\n", call_id=f"c{number}", failed=True, exit_code=1, **PLACE)
        todos.append({"content": f"Use {text}", "status": "pending"})
    yield called("TodoWrite", {"todos": todos}, call_id="t", **PLACE)
    yield resulted("Todos have been modified.", call_id="t", **PLACE)
    yield called("Write", {"file_path": f"{PLACE['cwd']}/{FIELDS['path']}.py", "content": "x = 1"}, call_id="w", **PLACE)
    yield resulted("File created.", call_id="w", **PLACE)
    yield answered("Should I go on?", agent=FIELDS["agent"], **PLACE)


def conversation_of(team: Team, owner: User, share: int) -> Conversation:
    made = conversations.create(
        team=team,
        owner=owner,
        title=f"Use {FIELDS['title']}",
        external_id=f"{share}-{FIELDS['external_id']}",
        cwd=PLACE["cwd"],
        branch=PLACE["branch"],
        model=FIELDS["model"],
        metadata={"note": FIELDS["metadata"]},
        source_tool=SHORT_FIELDS["source_tool"],
        provider=SHORT_FIELDS["provider"],
    )
    given = list(messages(SECRETS[share::SHARES]))
    conversations.append(team=team, conversation_id=made.id, messages=given, device=FIELDS["device"])
    return made


def shown_in(text: str) -> list[str]:
    """What stands before each secret that a text shows as it is, however the text is escaped."""
    forms = {text, html.unescape(text), text.replace("\\n", "\n").replace('\\"', '"').replace("\\/", "/")}
    return [
        f"{kind}: {form[max(0, form.index(secret) - 60) : form.index(secret) + 6]}"
        for kind, secret in PLANTED
        for form in forms
        if secret in form
    ]


class Ours:
    """Conversations, packages of them in every style, edits, resumptions, searches and an import, all about secrets."""

    def __init__(self, team: Team, owner: User) -> None:
        self.team, self.owner = team, owner
        self.conversations = [conversation_of(team, owner, share) for share in range(SHARES)]
        job = Caller.of(team).upload(b"this is no transcript", f"{FIELDS['upload']}.jsonl").json()["id"]
        jobs.run(job_id=job)
        self.job = Job.objects.get(id=job)
        self.handoffs: list[Handoff] = []
        for each in self.conversations:
            options = preparation.options_of(budget=16_000)
            self.handoffs.append(preparation.prepare(team=team, conversation_id=each.id, options=options, owner=owner))
        segments.summarise_pending()
        indexing.catch_up()
        self.edit = package_edits.add(
            team=team, handoff_id=self.handoffs[0].id, type="Decision", text=f"Use {FIELDS['edit']} for it.", author=Author(owner)
        )
        self.handoffs[0].refresh_from_db()

    def addresses(self, route: Route) -> Iterator[str]:
        """The addresses of a route about each conversation, or one where it is about none."""
        for conversation, handoff in zip(self.conversations, self.handoffs, strict=True):
            anchor = conversation.anchors.order_by("key").first()
            task = conversation.tasks.order_by("key").first()
            segment = conversation.segments.order_by("first_seq").first()
            values = {
                "conversation_id": conversation.id,
                "handoff_id": handoff.id,
                "chain_id": handoff.chain_id,
                "any_id": handoff.chain_id,
                "job_id": self.job.id,
                "edit_id": self.edit.id,
                "seq": 1,
                "anchor_key": anchor.key if anchor else "a1",
                "key": task.key if task else "t1",
                "segment_id": segment.id if segment else conversation.id,
            }
            if not route.parameters <= values.keys():
                return  # people, keys and links
            yield route.address(values)
            if not route.parameters or "conversation_id" not in values:
                return


def of_site(client: Client, ours: Ours) -> Iterator[tuple[str, str]]:
    for route in ROUTES:
        for address in ours.addresses(route):
            query = "?q=always&ref=a1&limit=200" if "search" in address or "expand" in address else ""
            answer = client.get(address + query)
            assert answer.status_code < 500, address
            content = b"" if answer.streaming else bytes(answer.content)
            yield f"{route.plain} {answer.status_code}", content.decode(errors="replace")


def of_admin(client: Client) -> Iterator[tuple[str, str]]:
    for app in ("continuity", "handoffs", "diagnostics"):
        for model in apps.get_app_config(app).get_models():
            rows = model._default_manager
            if admin.site.is_registered(model) and rows.exists():
                name = f"admin:{app}_{model._meta.model_name}"
                yield f"{name} list", client.get(reverse(f"{name}_changelist")).content.decode()
                for row in rows.all()[:6]:
                    yield f"{name} row", client.get(reverse(f"{name}_change", args=[row.pk])).content.decode()


def of_packages(ours: Ours) -> Iterator[tuple[str, str]]:
    for handoff in ours.handoffs:
        for style in ("structured", "concise", "narrative"):
            yield f"directive {style}", handoffs.directive_text(handoff, style=style)
            for output in DirectiveOutput:
                yield f"directive {style} as {output}", directives.as_text(handoff, output=output, style=style)
        yield "directive document", json.dumps(directives.as_document(handoff))


def test_it_works(team: Team, owner: User) -> None:
    """The secrets are there: whoever may see them gets them."""
    made = conversation_of(team, owner, 0)
    answer = Caller.of(team).get(f"/conversations/{made.id}/messages", unmasked="true", limit=200)

    assert len(shown_in(answer.content.decode())) > len(SECRETS) / SHARES


# Who may most, in a browser and with a key; who may less sees nothing else, which `make test-long` tries.
@pytest.mark.parametrize("everybody", [False, pytest.param(True, marks=pytest.mark.long)])
def test_no_surface_shows_a_secret(
    team: Team, owner: User, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], everybody: bool
) -> None:
    caplog.set_level(logging.DEBUG)
    ours = Ours(team, owner)
    operator = accounts.create_user(email="root@example.com", password=PASSWORD, is_admin=True)
    readers = [browser(owner), Caller.of(team).client]
    if everybody:
        viewer = person("viewer")
        accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
        readers += [browser(viewer), Caller.of(team, ["read"]).client]
    shown: list[tuple[str, str]] = [*of_packages(ours)]
    for reader in readers:
        shown += of_site(reader, ours)
    shown += of_admin(browser(operator))
    for handoff in ours.handoffs:
        if handoff.status == "ready":
            shown.append(("export", json.dumps(package_export.export(handoff=handoff, now=handoff.created_at))))
            shown.append(("resume", json.dumps(Caller.of(team).post(f"/handoffs/{handoff.id}/resume", {}).json())))
    shown += [(f"event {event.name}", json.dumps(event.payload)) for event in Event.objects.all()]
    shown += [("log", caplog.text), ("standard output", "".join(capfd.readouterr()))]

    leaks = sorted({(surface, told) for surface, text in shown for told in shown_in(text)})

    assert len(shown) > 300
    assert not leaks, "\n".join(map(str, leaks))
