"""Opening the conversation that records a tool's session; one that begins with a directive goes on where its handoff was resumed."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import IntegrityError, models, transaction
from django.utils import timezone

from continuity.core.transactions import atomic
from continuity.models import Conversation, Team, User
from continuity.models.conversations import ConversationQuerySet
from continuity.services.events import events
from continuity.services.recording import conversations, session_details, windows
from continuity.windows import resolve

# Finds or makes the conversation that a session with this directive goes on in, from team, owner, digest and what is known of it.
Successor = Callable[[Team, User | None, str, Mapping[str, Any]], Conversation | None]
_successors: list[Successor] = []
OF_WINDOW = ("max_context_tokens", "window_source")


def successor(find: Successor) -> None:
    """Registers who knows which conversation a directive leads to."""
    _successors.append(find)


def open(
    *, team: Team, owner: User | None = None, source_tool: str = "", external_id: str = "", directive_digest: str = "", **about: Any
) -> Conversation:
    """The conversation of a session: where its first words hold a directive that the team went on from, the next one of that chain.

    `directive_digest` is `finding.digest_of` those words; `about` and what is raised are as of `conversations.create`.
    """
    about |= {"source_tool": source_tool, "external_id": external_id}
    if directive_digest and external_id:
        conversations.check_new(team, source_tool, external_id)
        for find in _successors:
            found = find(team, owner, directive_digest, about)
            if found is not None:
                return found
    return conversations.create(team=team, owner=owner, **about)


@atomic
def take(*, waiting: ConversationQuerySet, owner: User | None, about: Mapping[str, Any]) -> Conversation | None:
    """Lets the first of `waiting` conversations that is empty and of no session record this one, which no other may take then.

    None where there is no such; raises Conflict where the session is recorded already.
    """
    found = waiting.untouched().select_for_update(of=("self",)).order_by("created_at", "id").first()
    if found is None:
        return None
    values = {name: value for name, value in about.items() if value and name not in ("title", "metadata", *OF_WINDOW)}
    values |= {"title": found.title or about.get("title", ""), "metadata": {**found.metadata, **about.get("metadata", {})}}
    values["expires_at"] = conversations.check_expiry(about.get("expires_at"), timezone.now())
    values["owner"] = owner or found.owner
    values |= _window_of(found, about) | {"given": found.given | session_details.at_opening(about)}
    rows = Conversation.objects.filter(id=found.id)
    try:
        with transaction.atomic():
            rows.update(**values, version=models.F("version") + 1, updated_at=timezone.now())
    except IntegrityError:
        conversations.check_new(found.team, about["source_tool"], about["external_id"])  # Another process was faster.
        raise
    found.refresh_from_db()
    events.publish(name="conversation.changed", team=found.team, subject_id=found.id, payload={"fields": sorted(values)})
    return found


def _window_of(waiting: Conversation, about: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of the window, once the session that it waited for says what it knows of its own. Raises Invalid."""
    tool, model = about.get("source_tool") or waiting.source_tool, about.get("model") or waiting.model
    evidence = windows.of_heir(waiting, source_tool=tool, model=model)
    evidence = windows.begun(evidence, about.get("max_context_tokens"), about.get("window_source", ""))
    window = resolve(evidence, waiting.team.windows)
    return {"max_context_tokens": window.tokens, "window_source": window.source.value, "window_evidence": evidence.to_json()}
