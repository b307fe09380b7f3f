"""A team with one of everything, and the address of every page about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone

from continuity import knowledge
from continuity import urls as continuity_urls
from continuity.models import (
    Agent,
    AgentInstance,
    AgentOrder,
    CheckedOutCommit,
    CompressedSegment,
    Conversation,
    DeadLetter,
    Event,
    FoldState,
    Incident,
    Job,
    Level,
    RecoveryAttempt,
    Segment,
    Team,
    User,
)
from continuity.services.groups import groups, opening
from continuity.usage.curve import UsageCurve, extend
from diagnostics import urls as diagnostics_urls
from handoffs import urls as handoffs_urls
from handoffs.models import Handoff, NoteStatement, Resumption, StoredNote
from tests.api.rows import in_a_repository, sharing
from tests.factories import AnchorFactory, ConversationFactory, FileTouchFactory, MessageFactory, TaskFactory
from tests.web import rows
from tests.words import answered, said

# What stands for people, keys and links in an address, tests/walk says.
_WALKED = {"user_id", "invitation_id", "key_id", "token", "uidb64"}
# What else diagnostics serves is for machines, and open to everyone.
_PAGES = [pattern for pattern in diagnostics_urls.urlpatterns if pattern.name in ("diagnostics", "now")]
_ALL: list[URLPattern] = [*continuity_urls.urlpatterns, *handoffs_urls.urlpatterns, *_PAGES]
PATTERNS = [pattern for pattern in _ALL if not _WALKED & set(pattern.pattern.converters)]
SEQ = 1
KEY = "a1"
AGENT = "clerk"
COMMIT = "a" * 40


@dataclass(frozen=True, slots=True)
class World:
    conversation: Conversation
    handoff: Handoff
    job: Job
    resumption: Resumption
    segment: Segment
    note: StoredNote
    letter: DeadLetter
    others: dict[str, str]

    def address(self, pattern: URLPattern) -> str:
        """The address of a page about this world. A KeyError here means: say what the new parameter stands for."""
        values = {
            "conversation_id": self.conversation.id,
            "handoff_id": self.handoff.id,
            "chain_id": self.handoff.chain_id,
            "job_id": self.job.id,
            "letter_id": self.letter.id,
            "resumption_id": self.resumption.id,
            "seq": SEQ,
            "key": KEY,
            "segment_id": self.segment.id,
            "note_id": self.note.id,
            "statement": KEY,
            "reference": f"m{SEQ}",
            "agent_name": AGENT,
            "commit": COMMIT,
            **self.others,
        }
        return reverse(pattern.name or "", kwargs={name: values[name] for name in pattern.pattern.converters})


def world(team: Team, owner: User, words: str = "Go on with it") -> World:
    """`words` stand everywhere that a transcript's words can stand."""
    conversation = ConversationFactory.create(
        team=team, owner=owner, title=words, last_seq=2, folded_seq=2, message_count=2, cwd=words, branch=words
    )
    MessageFactory.create(conversation=conversation, seq=SEQ, parts=[{"kind": "text", "voice": "person", "text": words}])
    call = {"kind": "tool_call", "voice": "agent", "name": words, "input": {"command": words}, "call_id": "1"}
    result = {"kind": "tool_result", "voice": "tool", "text": words, "call_id": "1", "failed": True}
    MessageFactory.create(
        conversation=conversation, seq=2, role="assistant", parts=[call, result, call | {"kind": "boundary", "text": words}]
    )
    _told(conversation, words)
    AnchorFactory.create(
        conversation=conversation, key=KEY, text=words, rationale=words, rejected=words, subject=words, source_seq=1, found_seq=1
    )
    TaskFactory.create(conversation=conversation, description=words, blocking_reason=words, steps_done=[words], steps_left=[words])
    FileTouchFactory.create(conversation=conversation, path=words, note=words)
    handoff = rows.handoff(conversation, text=words, failure=words, fidelity=_fidelity(words), messages_after=1)
    done = {"conversation_id": str(conversation.id), "format": "codex", "messages": 2, "added": 1, "skipped_count": 1}
    result = done | {"skipped": [{"line": 3, "reason": words}]}
    job = Job.objects.create(team=team, kind="import", status="done", arguments={"name": words}, result=result, warnings=[words])
    new = ConversationFactory.create(team=team, owner=owner, title=words, resumed_from=conversation)
    report = {"isSeamless": False, "missingElements": [words]}
    resumption = Resumption.objects.create(team=team, handoff=handoff, conversation=new, resumed_by=owner, fork=True, report=report)
    note = StoredNote.objects.create(team=team, conversation=conversation, number=1, kind="agent", through_seq=1, model=words)
    NoteStatement.objects.create(
        team=team, note=note, place=0, key=KEY, part="now", text=words, original=words, verdict="contradicted", reason=words
    )
    told = {"part": "next", "text": words, "verdict": "uncontradicted", "reason": words, "byPerson": False}
    handoff.rest["note"] = {"throughSeq": 1, "statements": [told | {"key": KEY, "part": "now"}, told | {"key": "n1"}]}
    handoff.save(update_fields=["rest"])
    event = Event.objects.create(team=team, name="event.published", topic="task:completed", publisher="agent billing")
    letter = DeadLetter.objects.create(team=team, event=event, subscriber="tests", status="dead", reason=words, failed_at=timezone.now())
    segment = Segment.objects.get(conversation=conversation)
    CheckedOutCommit.objects.create(team=team, conversation=conversation, seq=SEQ, commit=COMMIT)
    _failed_agent(conversation, words)
    return World(conversation, handoff, job, resumption, segment, note, letter, _shared(conversation, words))


def _shared(conversation: Conversation, words: str) -> dict[str, str]:
    """A state that two wrote at once, a group that speaks, and the repository that was worked in, by their parameters."""
    team = conversation.team
    group = opening.open_group(
        team=team,
        participants=[groups.ParticipantInput(AGENT)],
        now=timezone.now(),
        title=words,
        message=words,
        steps=[{"key": "look", "title": words}],
    )
    Incident.objects.create(team=team, correlation_id="c0ffee", agents=[AGENT], limit=50)  # Nothing new begins from now on.
    of_group = {"group_id": str(group.id), "turn_id": str(group.id)}
    return {**of_group, **sharing(team, words), **in_a_repository(conversation, words)}


def _failed_agent(conversation: Conversation, words: str) -> None:
    """One that worked here, failed, and waits for a person."""
    now = timezone.now()
    about = {"team": conversation.team, "role": words, "config": {"words": words}, "working_on": conversation, "replay": "full"}
    agent = Agent.objects.create(name=AGENT, status="failed", status_at=now, failures=4, runner="machine", **about)
    AgentInstance.objects.create(agent=agent, epoch=1, ended_at=now, reason="killed")
    failed = {"cause": "killed", "action": "give_up", "status": "told", "ended_epoch": 1, "epoch": 2, "due_at": now, "failures": 4}
    attempt = RecoveryAttempt.objects.create(agent=agent, team=agent.team, **failed)
    AgentOrder.objects.create(agent=agent, kind="restart", status="overtaken", attempt=attempt)


def _told(conversation: Conversation, words: str) -> None:
    """A segment at every level, and where the work stands."""
    of = {"team": conversation.team, "conversation": conversation}
    segment = Segment.objects.create(**of, first_seq=1, last_seq=2, topic=words, closed=True, tokens=20)
    for level in (Level.DETAILED, Level.BRIEF, Level.TAGS):
        CompressedSegment.objects.create(team=conversation.team, segment=segment, level=level, content=words, tokens=5)
    state = knowledge.fold(knowledge.FoldState(), [(1, said(words)), (2, answered(words))]).state
    curve = extend(UsageCurve(), [(1, said(words), 10), (2, answered(words), 10)]).curve
    FoldState.objects.create(**of, through_seq=2, rules_version=knowledge.RULES_VERSION, state=state.to_json(), curve=curve.as_json())


def _fidelity(words: str) -> dict[str, object]:
    issue = rows.ISSUE | {"description": words, "recommendation": words}
    return {"handoffId": "x", **rows.SCORES, "issues": [issue], "coverage": 0.5, "repairs": 0}


def browser(user: User) -> Client:
    """A browser in which someone is signed in."""
    client = Client()
    client.force_login(user)
    return client


def pages(client: Client, of: World) -> Iterator[tuple[str, Any]]:
    """Every page that answers a GET with HTML."""
    for pattern in PATTERNS:
        address = of.address(pattern)
        answer = client.get(address)
        if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
            yield address, answer
