"""Rows for tests that are about reading them, many at a time; what services do is tested through the services."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone
from factory.declarations import LazyAttribute, LazyFunction, SelfAttribute, Sequence, SubFactory
from factory.django import DjangoModelFactory

from continuity.knowledge.model import AnchorState, AnchorType, FileAction, TaskStatus, Truth
from continuity.models import Anchor, Conversation, FileTouch, Message, Task, Team
from continuity.transcripts.base.model import Role


class TeamFactory(DjangoModelFactory[Team]):
    class Meta:
        model = Team

    slug = Sequence(lambda number: f"team-{number}")
    name = LazyAttribute(lambda team: team.slug.title())


class ConversationFactory(DjangoModelFactory[Conversation]):
    class Meta:
        model = Conversation

    team = SubFactory(TeamFactory)
    title = Sequence(lambda number: f"Conversation {number}")
    expires_at = LazyFunction(lambda: timezone.now() + timedelta(days=7))


class _OfConversation(DjangoModelFactory[Any]):
    class Meta:
        abstract = True

    conversation = SubFactory(ConversationFactory)
    team = SelfAttribute("conversation.team")


class MessageFactory(_OfConversation):
    class Meta:
        model = Message

    seq = Sequence(lambda number: number + 1)
    external_id = LazyAttribute(lambda message: f"x{message.seq}")
    role = Role.USER.value
    parts = LazyAttribute(lambda message: [{"kind": "text", "voice": "person", "text": f"Message {message.seq}"}])
    at = datetime(2026, 3, 17, 8, 0, tzinfo=UTC)


class AnchorFactory(_OfConversation):
    class Meta:
        model = Anchor

    key = Sequence(lambda number: f"a{number:06d}")
    type = AnchorType.DECISION.value
    state = AnchorState.CURRENT.value
    truth = Truth.STATED.value
    text = Sequence(lambda number: f"We use tool number {number}.")
    method = "rule"
    importance = 0.9
    source_seq = Sequence(lambda number: number + 1)
    found_seq = SelfAttribute("source_seq")


class TaskFactory(_OfConversation):
    class Meta:
        model = Task

    key = Sequence(lambda number: f"t{number:06d}")
    description = Sequence(lambda number: f"Task {number}")
    status = int(TaskStatus.IN_PROGRESS)
    method = "todo"
    first_seq = 1
    last_seq = Sequence(lambda number: number + 1)


class FileTouchFactory(_OfConversation):
    class Meta:
        model = FileTouch

    path = Sequence(lambda number: f"src/file{number}.py")
    action = FileAction.MODIFIED.value
    first_seq = 1
    last_seq = Sequence(lambda number: number + 1)
