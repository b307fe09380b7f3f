"""A row of our team of each kind, for who walks all operations."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from continuity.agents.names import OrderKind
from continuity.agents.strategies import FailureCause, RecoveryAction
from continuity.models import Agent, AgentInstance, AttemptStatus, Conversation, DeadLetter, RecoveryAttempt, Segment, Team
from continuity.services.agents import orders, registry
from continuity.services.groups import groups, opening, turns
from continuity.services.jobs import jobs
from continuity.services.recording import imports
from continuity.services.subscriptions import publishing, subscriptions, topics
from continuity.shared_state.names import StateStrategy
from handoffs.models import Artifact, EditAction, HandoffChain, HandoffRating, PackSession, RatingKind, Repository, StoredPack
from handoffs.services.edits import package_edits
from handoffs.services.erasure import erasing
from handoffs.services.packages import authors, preparation
from tests.api.caller import Caller, person
from tests.api.operations import INSTANCE, LESSON
from tests.cast import ours
from tests.cast import person as somebody
from tests.shared_state.sharing import Shared

AGENT = "clerk"


def make_rows() -> dict[str, str]:
    """Their ids, by the names of the parameters in a path."""
    owner = somebody("owner")
    team = ours(owner)
    caller = Caller.of(team)
    conversation = caller.open(title="Ours")
    caller.say(conversation, person("Use Postgres, never SQLite. DB_PASSWORD=hunter2hunter2"))
    key = caller.post(f"/conversations/{conversation}/tasks", {"description": "Build it."}).json()["key"]
    row = Conversation.objects.get(id=conversation)
    by = erasing.By("owner", owner)
    erasing.erase_words(team=team, conversation_id=row.id, words="as long as", by=by)
    handoff = preparation.prepare(team=team, conversation_id=row.id, options=preparation.options_of())
    job = jobs.submit(team=team, kind=imports.KIND, arguments={})
    chain = HandoffChain.objects.get(team=team)
    segment = Segment.objects.get(conversation=row)
    edit = package_edits.edit(team=team, handoff_id=handoff.id, action=EditAction.PIN, author=authors.Author(), ref="a1")
    note = caller.post(f"/conversations/{conversation}/notes", {"lessons": [LESSON]}).json()["note"]["id"]
    rated = HandoffRating.objects.create(
        team=team, handoff=handoff, kind=RatingKind.MISSING, key="k1", text=LESSON, version=1, made_by=owner
    )
    return {
        "conversation_id": conversation,
        "note_id": note,
        "seq": "1",
        "key": key,
        "segment_id": str(segment.id),
        "handoff_id": str(handoff.id),
        "edit_id": str(edit.id),
        "rating_id": str(rated.id),
        "job_id": str(job.id),
        "any_id": str(chain.id),
        **on_the_bus(team),
        **running(team),
        **sharing(team),
        **in_a_repository(row),
    }


def in_a_repository(conversation: Conversation, words: str = "Ours") -> dict[str, str]:
    """The repository that a session worked in, its packs, and a draft of what it taught."""
    now, of = timezone.now(), {"team": conversation.team, "conversation": conversation}
    repository = Repository.objects.create(team=conversation.team, key="ab" * 16, name=words, seen_at=now)
    session = {"machine": "desk", "root": "/home/me/mail", "seen_at": now, "snapshot_at": now}
    PackSession.objects.create(**of, repository=repository, **session)
    kept = {**of, "repository": repository, "digest": "d1", "used_at": now}
    told = {"fingerprint": "f", "changed": "c", "mode": "code", "profile": "hook", "lessons": "l", "anchor": words}
    StoredPack.objects.create(**kept, **told)
    draft = {"kind": "landmine", "trigger": "direction", "subject": "s", "title": words, "sentences": [{"text": words, "seq": 1}]}
    made = Artifact.objects.create(**of, repository=repository, **draft)
    return {"repository_id": str(repository.id), "artifact_id": str(made.id)}


def on_the_bus(team: Team, words: str = "Ours") -> dict[str, str]:
    """A topic, a subscription, an event with words, and a dead letter."""
    topics.declare(team=team, name="task:completed", schema=None, critical=False)
    subscription, _ = subscriptions.subscribe(team=team, name="known", pattern="task:*")
    said = [publishing.Publication("task:completed", {"words": words})]
    event = publishing.publish(team=team, publications=said, publisher="test", now=timezone.now())[0]
    letter = DeadLetter.objects.create(
        team=team,
        event_id=event.id,
        subscription=subscription,
        subscriber=f"subscription:{subscription.id}",
        status="dead",
        failed_at=timezone.now(),
    )
    return {"subscription_id": str(subscription.id), "event_id": str(event.id), "letter_id": str(letter.id), "name": "task:completed"}


def sharing(team: Team, words: str = "Ours") -> dict[str, str]:
    """A state of the agent's that two wrote at once."""
    state = Shared(team, "plan", scope="agent", owner=AGENT)
    state.put({"words": words, "step": 1}, by=AGENT, strategy=StateStrategy.MANUAL)
    state.put({"words": words, "step": 2}, 1, by=AGENT)
    state.put({"words": words, "step": 3}, 1, by=AGENT)
    return {"scope": "agent", "owner": AGENT, "state_key": "plan", "state_id": str(state.row.id)}


@transaction.atomic
def running(team: Team, words: str = "Ours") -> dict[str, str]:
    """An agent, ready, with an order, and a restart that is over; all at once, so that no monitor finds an agent that nobody hears of."""
    registry.register(team=team, name=AGENT, now=timezone.now(), given={"role": words, "topics": ["task:*"]}, runner=words)
    instance = UUID(str(INSTANCE["instance"]))
    AgentInstance.objects.filter(agent__team=team).update(id=instance)
    Agent.objects.filter(team=team).update(instance_id=instance)
    registry.ready(team=team, name=AGENT, epoch=1, instance=instance, now=timezone.now())
    RecoveryAttempt.objects.create(
        id=instance,
        agent=Agent.objects.get(team=team),
        team=team,
        cause=FailureCause.KILLED,
        action=RecoveryAction.RESTART,
        status=AttemptStatus.SUCCEEDED,
        ended_epoch=0,
        epoch=0,
        due_at=timezone.now(),
    )
    order = orders.give(team=team, name=AGENT, kind=OrderKind.SAVE_STATE, by=words, now=timezone.now())
    return {"agent_name": AGENT, "order_id": str(order.id), **together(team, words)}


def together(team: Team, words: str) -> dict[str, str]:
    """A group of that agent, which has the turn."""
    flow = [{"key": "look", "title": words}]
    given = [groups.ParticipantInput(AGENT)]
    group = opening.open_group(team=team, participants=given, now=timezone.now(), title=words, message=words, steps=flow)
    turn = turns.next_speaker(team=team, group_id=group.id, now=timezone.now()).turn
    assert turn is not None
    return {"group_id": str(group.id), "turn_id": str(turn.id)}
