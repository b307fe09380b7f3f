"""Context windows of conversations, and a team's settings for them."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import models

from continuity.core.errors import Invalid
from continuity.core.transactions import atomic
from continuity.models import Conversation, Team
from continuity.services.events import events
from continuity.transcripts.base import model as transcript
from continuity.windows import ContextWindow, Evidence, WindowSource, resolve
from continuity.windows.evidence import LARGEST, TOLD

logger = logging.getLogger("continuity.conversations")

MOST = 100  # beginnings of model names that a team may set a window for
LONGEST_NAME = 120


def checked(tokens: int) -> int:
    """Raises Invalid where that is no window."""
    if not 0 < tokens <= LARGEST:
        raise Invalid(f"max_context_tokens must lie between 1 and {LARGEST:,}.", field="max_context_tokens")
    return tokens


def evidence_of(conversation: Conversation) -> Evidence:
    return Evidence.from_json(conversation.window_evidence)


def put(conversation: Conversation, evidence: Evidence) -> None:
    """Sets what follows from the evidence on the instance; nothing is stored. The conversation's team must be at hand."""
    window = resolve(evidence, conversation.team.windows)
    conversation.max_context_tokens, conversation.window_source = window.tokens, window.source.value
    conversation.window_evidence = evidence.to_json()


def begun(evidence: Evidence, tokens: int | None, source: str) -> Evidence:
    """Adds what was told of the window of a conversation that is opened, if anything was. Raises Invalid."""
    return evidence.told(source_named(source), checked(tokens)) if tokens else evidence


def log_usage(conversation: Conversation) -> None:
    """The log line of CONT-06 for messages that came in; `?` is the share of a window that is not known."""
    used = conversation.utilization
    share = None if used is None else round(used * 100, 1)
    told = {"conversation_id": str(conversation.id), "total_tokens": conversation.context_tokens, "utilization": share}
    line = "[CONT:TRACK] Token usage updated: %s at %d tokens (%s%%)"
    logger.info(line, conversation.id, conversation.context_tokens, "?" if share is None else share, extra={"metadata": told})


def with_messages(evidence: Evidence, messages: Sequence[transcript.Message], told: ContextWindow | None = None) -> Evidence:
    """Add what messages of the main conversation show, and what the tool tells of its window."""
    for message in messages:
        if not message.agent and (message.model or message.usage):
            evidence = evidence.seen(message.model[:120], message.usage.context if message.usage else 0)
    return evidence.told(told.source, told.tokens or 0) if told else evidence


def knows(conversation: Conversation, told: ContextWindow) -> bool:
    """Whether the source said so before."""
    evidence = evidence_of(conversation)
    return evidence.told(told.source, told.tokens or 0) == evidence


def after(read: Conversation, team: Team, values: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that follow from a change of these fields. None as the window takes back what was set."""
    if not {"max_context_tokens", "model"} & set(values):
        return {}
    evidence = evidence_of(read)
    if "model" in values:
        evidence = evidence.seen(values["model"], 0)
    if "max_context_tokens" in values:
        evidence = evidence.told(WindowSource.SETTING, values["max_context_tokens"] or 0)
    window = resolve(evidence, team.windows)
    return {"max_context_tokens": window.tokens, "window_source": window.source.value, "window_evidence": evidence.to_json()}


def of_heir(predecessor: Conversation, *, source_tool: str, model: str) -> Evidence:
    """The evidence on the window of a session that goes on from another: in the same tool with the same model, the same."""
    if (source_tool, model) == (predecessor.source_tool, predecessor.model):
        return evidence_of(predecessor)
    return Evidence(model=model)


@atomic
def set_for_team(*, team: Team, windows: Mapping[str, int]) -> Team:
    """Sets the team's windows by the beginning of a model's name (`*`: every other model), all anew. Its conversations that go on
    follow at once. Raises Invalid naming what is wrong."""
    if len(windows) > MOST:
        raise Invalid(f"A team may set at most {MOST} windows.", field="windows")
    for name, tokens in windows.items():
        if not name or len(name) > LONGEST_NAME:
            raise Invalid(f"The beginning of a model's name has 1 to {LONGEST_NAME} characters.", field="windows")
        if not 0 < tokens <= LARGEST:
            raise Invalid(f"The window of {name} must lie between 1 and {LARGEST:,} tokens.", field="windows")
    team = Team.objects.select_for_update().get(id=team.id)
    team.windows = dict(windows)
    team.save(update_fields=["windows"])
    for conversation in Conversation.objects.visible_to(team).going_on().defer("metadata").iterator():
        if _moved(conversation, team):
            # Read again under its lock: an append may have learned more since.
            locked = Conversation.objects.select_for_update().defer("metadata").filter(id=conversation.id).first()
            if locked is not None and (values := _moved(locked, team)):
                Conversation.objects.filter(id=locked.id).update(**values, version=models.F("version") + 1)
    events.publish(name="team.windows_changed", team=team, subject_id=team.id, payload={"models": sorted(windows)})
    return team


def _moved(conversation: Conversation, team: Team) -> dict[str, Any]:
    """The columns of its window with the team's settings; nothing where they are as they were."""
    before = (conversation.max_context_tokens, conversation.window_source)
    conversation.team = team
    put(conversation, evidence_of(conversation))
    after = (conversation.max_context_tokens, conversation.window_source)
    return {} if after == before else {"max_context_tokens": after[0], "window_source": after[1]}


def source_named(name: str) -> WindowSource:
    """Raises Invalid where nobody may say that by this name."""
    if (name or WindowSource.SETTING) not in TOLD:
        raise Invalid(f"window_source must be one of {', '.join(TOLD)}.", field="window_source")
    return WindowSource(name or WindowSource.SETTING)
