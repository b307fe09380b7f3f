"""One conversation at a glance: how full it is, where the work stands, what is to be done, what must not be lost."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from continuity.charts.curve import Curve, curve
from continuity.core.errors import NotFound
from continuity.knowledge.model import Quote, Ref, Situation, TaskStatus
from continuity.knowledge.requests.belonging import Belonging, known_by
from continuity.models import CheckedOutCommit, Conversation, ConversationStatus, Scope
from continuity.services.knowledge import skipped_messages
from continuity.services.recording import conversations, heads
from continuity.usage.curve import CurvePoint, UsageCurve
from continuity.views.access import MemberRequest, member_page
from continuity.views.unchanged import unless_unchanged
from continuity.windows import WindowSource
from continuity.windows.words import WORDS
from handoffs import queries
from handoffs.charts.gauge import gauge
from handoffs.policy.decision import Decision
from handoffs.policy.policy import Policy
from handoffs.services.packages import decisions, policies
from handoffs.views.forms import HandOverForm
from handoffs.views.notes import shown_notes

HASH = re.compile(r"\b[0-9a-f]{7,40}\b")  # of a commit, as tools print it
IN_NUMBERS = 12  # points of the curve in the table beside it
ENDED = (ConversationStatus.INVALIDATED, ConversationStatus.INVALIDATED_PENDING_CLEANUP, ConversationStatus.EXPIRED)


@member_page
@require_safe
def page(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """A fixed number of queries, however long the conversation. Under htmx the panels that change while it is recorded."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    if request.htmx:
        version = (conversation.version, conversation.folded_seq, conversation.status)
        template = "conversations/conversation.html#use"
        return unless_unchanged(request, version, lambda: render(request, template, _use(request, conversation)))
    shown = _use(request, conversation)
    handoffs = queries.handoffs_of(conversation)
    shown |= {
        "best": queries.best_anchors(conversation),
        "handoffs": handoffs,
        "commits": _commits(conversation, shown["situation"]),
        "earlier": queries.ready_one(handoffs, now=timezone.now()),
        "origin": queries.origin_of(conversation),
        "form": HandOverForm(teammates=queries.teammates_of(request.principal.team, request.principal.user)),
        **shown_notes(request, conversation, newest=True),
        "began": queries.began_at(conversation),
        "owner": request.user if conversation.owner_id == request.user.id else conversation.owner,
        "may_prepare": Scope.HANDOFF in request.principal.scopes,
        "may_end": Scope.ADMIN in request.principal.scopes,
    }
    return render(request, "conversations/conversation.html", shown)


@member_page
@require_safe
def commit(request: MemberRequest, conversation_id: UUID, commit: str) -> HttpResponse:
    """Why a commit of the conversation was made, as `continuity why` tells it; under htmx only that."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    found = heads.reasons(team=request.principal.team, commits=[commit])
    reason = next((each for each in found if each.place.conversation_id == conversation.id), None)
    if reason is None:
        raise NotFound(noun="commit")
    template = "conversations/commit.html#reason" if request.htmx else "conversations/commit.html"
    return render(request, template, {"conversation": conversation, "reason": reason})


def _commits(conversation: Conversation, situation: Situation) -> list[tuple[CheckedOutCommit, str]]:
    """The latest first, with the subject where the session told it. One query."""
    told = [(name, made.text) for made in situation.commits for name in HASH.findall(made.text)[:1]]
    rows = heads.of_conversation(conversation)
    return [(row, next((_subject(name, text) for name, text in told if row.commit.startswith(name)), "")) for row in rows]


def _subject(name: str, text: str) -> str:
    return text.partition(name)[2].strip(" ]:")


def _use(request: MemberRequest, conversation: Conversation) -> dict[str, Any]:
    """How the window is used, where the work stands, and the tasks."""
    effective = policies.effective(team=request.principal.team, conversation=conversation)
    policy, standing = effective.policy, queries.state_of(conversation)
    decision = decisions.decision_on(conversation, effective)
    points = _points(conversation, standing.curve)
    skipped, more = skipped_messages.shown(conversation=conversation)
    board = queries.board_of(conversation, standing.belongings)
    return {
        "conversation": conversation,
        "ended": conversation.status in ENDED,
        "usage": decisions.usage_of(conversation),
        "decision": decision,
        "gauge": gauge(conversation.utilization, policy),
        "window_words": WORDS.get(WindowSource(conversation.window_source)),
        "may_change": Scope.WRITE in request.principal.scopes,
        "curve": _drawn(conversation, points, decision, policy),
        "sampled": [*points[:: max(1, len(points) // IN_NUMBERS)][:IN_NUMBERS], *points[-1:]] if points else [],
        "full_turn": conversation.turn_count + (decision.remaining_turns or 0),
        "unfolded": conversation.last_seq - conversation.folded_seq,
        "skipped": skipped,
        "skipped_more": more,
        "situation": standing.situation,
        "goal": _goal(standing.situation, board, standing.belongings),
        "asked": _belonging(standing.situation.latest_request, standing.belongings),
        "board": board,
    }


def _belonging(said: Quote | None, belongs: Mapping[str, Belonging]) -> Belonging | None:
    return belongs.get(known_by(said.text)) if said is not None else None


def _goal(situation: Situation, board: Sequence[queries.Column], belongs: Mapping[str, Belonging]) -> Quote | None:
    """What the session is for: the request that it began or took up last, or, where that is done, the task that is in progress. An answer
    to the agent tells nothing of it: the work does that it belongs to."""
    goal = situation.objective
    done = {task.first_seq for column in board if column.done for task in column.tasks}
    if goal is not None and goal.ref.seq in done:
        under_way = (task for column in board for task in column.tasks if task.status == TaskStatus.IN_PROGRESS)
        goal = next((Quote(task.description, Ref(task.first_seq)) for task in under_way), goal)
    of = _belonging(goal, belongs)
    return of.work if of is not None and of.work is not None else goal


def _points(conversation: Conversation, known: UsageCurve) -> list[CurvePoint]:
    """The points kept, and the present, which may not be folded yet."""
    now = CurvePoint(conversation.last_seq, conversation.turn_count, conversation.context_tokens)
    return [*(point for point in known.points if point.seq < now.seq), now]


def _drawn(conversation: Conversation, points: list[CurvePoint], decision: Decision, policy: Policy) -> Curve | None:
    thresholds = {f"{policy.handoff_at:.0%} hand off": policy.handoff_at, f"{policy.long_task_at:.0%} long tasks": policy.long_task_at}
    full_at = None
    if decision.remaining_turns:
        full_at = conversation.last_seq + decision.remaining_turns * conversation.message_count / max(1, conversation.turn_count)
    places = [(point.seq, point.tokens) for point in points]
    return curve(places, window=conversation.max_context_tokens, thresholds=thresholds, full_at=full_at)
