"""A big installation for measuring: rows copied by the database from one conversation and one handoff that the services made.

It does not go through the services, which would take hours, and writes no events; every constraint of the database holds. All of it
is one team, which is deleted as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID, uuid4

from django.db import connection, models, transaction
from django.utils import timezone

from continuity.core.errors import Invalid
from continuity.models import Anchor, CompressedSegment, Conversation, FileTouch, FoldState, Message, Segment, Task, Team, User
from continuity.services.accounts import accounts
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.services.search import indexing
from continuity.services.segments import segments
from diagnostics.bench import material
from diagnostics.models import Attempt, AttemptKind
from diagnostics.services import bulk
from diagnostics.services.bulk import Values, insert_copies
from handoffs.models import FidelityCheck, Handoff, HandoffChain, ProbeBank, Resumption
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation

# A chain is three handoffs over four conversations; the last one is resumed in every second chain.
LINKS = 3
DAYS = 60
OF_CONVERSATION = (Anchor, Task, FileTouch, FoldState, ProbeBank)
FILLED = (Conversation, Message, *OF_CONVERSATION, Segment, CompressedSegment, HandoffChain, Handoff, Resumption, FidelityCheck, Attempt)
# What was said when, from the beginning of its conversation; and the column for searching, which the models do not know.
SAID: Mapping[type[models.Model], Values] = {
    Message: {"words": "t.words", "created_at": "m.began + interval '20 seconds' * t.seq", "at": "m.began + interval '20 seconds' * t.seq"},
    Anchor: {"words": "t.words", "created_at": "m.began + interval '20 seconds' * t.found_seq"},
}
TOOLS = "(ARRAY['claude-code', 'codex', 'gemini-cli', 'opencode', 'copilot-cli'])[1 + m.n %% 5]"
STATUSES = "(ARRAY['idle', 'idle', 'active', 'expired'])[1 + m.n %% 4]"
# Short words that differ from row to row, so that a search has something to choose from.
TITLE = "(ARRAY['Mend', 'Speed up', 'Describe', 'Rewrite', 'Test', 'Split'])[1 + m.n %% 6] || ' part ' || m.n"


@transaction.atomic
def seed(*, owner: User, conversation_count: int, messages: int, handoffs: int) -> Team:
    """A team of `conversation_count` conversations with `messages` messages and `handoffs` handoffs in all. Raises Invalid."""
    chains = -(-handoffs // LINKS)
    each = messages // max(1, conversation_count)
    if conversation_count < chains * (LINKS + 1) or not 1 <= each <= 10_000:
        raise Invalid(f"{handoffs} handoffs need {chains * (LINKS + 1)} conversations, and each conversation takes 1 to 10,000 messages.")
    team = accounts.found_team(slug=f"seed-{uuid4().hex[:8]}", name="Seed", owner=owner).team
    pattern = _pattern(team, owner, each)
    _map(conversation_count, handoffs, pattern)
    with bulk.filling(FILLED):
        _conversations(pattern)
        for model in (Message, *OF_CONVERSATION):
            _copy(model, {"conversation_id": "m.conversation_id", **SAID.get(model, {})}, t=("conversation_id", pattern.id))
        _segments()
        _chains(pattern)
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE seed_map, seed_chain, seed_segment")
    return team


def _pattern(team: Team, owner: User, each: int) -> Conversation:
    """The conversation that is copied, with a handoff that was resumed."""
    conversation = conversations.create(team=team, owner=owner, title="Pattern", source_tool="seed", model="claude-sonnet-4-5")
    said = list(material.messages(each, each))
    for start in range(0, each, 1000):
        conversations.append(team=team, conversation_id=conversation.id, messages=said[start : start + 1000])
    fold_runner.catch_up(conversation_id=conversation.id)
    segments.summarise_pending(conversation_id=conversation.id)
    while indexing.catch_up():
        pass
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of(), owner=owner)
    resumption.resume(team=team, handoff_id=handoff.id, resumed_by=owner)
    conversation.refresh_from_db()
    return conversation


def _map(count: int, handoffs: int, pattern: Conversation) -> None:
    """Number and id of every copy; its chain and its place in it (none beyond the chains); whether it has a handoff, and a successor.
    The id of every chain, and of every segment's copy."""
    linked = f"n <= {-(-handoffs // LINKS) * (LINKS + 1):d}"
    chain, place = f"(n - 1) / {LINKS + 1}", f"(n - 1) % {LINKS + 1}"
    packed = f"{linked} AND {place} < {LINKS} AND {chain} * {LINKS} + {place} < {handoffs:d}"
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TEMPORARY TABLE seed_map ON COMMIT DROP AS SELECT n, gen_random_uuid() AS conversation_id, "  # noqa: S608
            f"now() - interval '1 hour' - interval '1 second' * (n * 86400.0 * {DAYS} / {count:d}) AS began, "
            f"gen_random_uuid() AS handoff_id, CASE WHEN {linked} THEN {chain} END AS chain, {place} AS place, {packed} AS packed, "
            f"{packed} AND ({place} < {LINKS - 1} OR {chain} % 2 = 0) AS resumed FROM generate_series(1, {count:d}) n"
        )
        cursor.execute(
            "CREATE TEMPORARY TABLE seed_chain ON COMMIT DROP AS SELECT chain, gen_random_uuid() AS chain_id, count(*) AS length "
            "FROM seed_map WHERE packed GROUP BY chain"
        )
        cursor.execute(
            "CREATE TEMPORARY TABLE seed_segment ON COMMIT DROP AS SELECT m.conversation_id, s.id AS copied, gen_random_uuid() AS id "
            "FROM continuity_segment s, seed_map m WHERE s.conversation_id = %s",
            [pattern.id],
        )
        cursor.execute("CREATE INDEX ON seed_map (chain, place)")
        cursor.execute("CREATE INDEX ON seed_chain (chain)")
        for table in ("seed_map", "seed_chain", "seed_segment"):
            cursor.execute(f"ANALYZE {table}")


def _conversations(pattern: Conversation) -> None:
    values = {
        "id": "m.conversation_id",
        "created_at": "m.began",
        "updated_at": "m.began + interval '1 hour'",
        "active_at": "m.began + interval '1 hour'",
        "title": TITLE,
        "source_tool": TOOLS,
        "external_id": "'seed-' || m.n",
        "context_tokens": "(t.max_context_tokens * ((m.n * 37) %% 97) / 100.0)::bigint",
        "status": f"CASE WHEN m.resumed THEN 'handed_off' ELSE {STATUSES} END",
        "resumed_from_id": "(SELECT b.conversation_id FROM seed_map b WHERE b.chain = m.chain AND b.place = m.place - 1 AND b.resumed)",
    }
    _copy(Conversation, values, t=("id", pattern.id))


def _segments() -> None:
    """The segments, and the levels at which they are told."""
    insert_copies(Segment, {"id": "m.id", "conversation_id": "m.conversation_id"}, "seed_segment m ON t.id = m.copied", [])
    insert_copies(CompressedSegment, {"segment_id": "m.id"}, "seed_segment m ON t.segment_id = m.copied", [])


def _chains(pattern: Conversation) -> None:
    """Chains, their handoffs, resumptions, checks and attempts, from those of the pattern."""
    handoff = Handoff.objects.get(conversation=pattern)
    next_one = "(SELECT b.conversation_id FROM seed_map b WHERE b.chain = m.chain AND b.place = m.place + 1)"
    chain_id, length = (f"(SELECT c.{column} FROM seed_chain c WHERE c.chain = m.chain)" for column in ("chain_id", "length"))  # noqa: S608
    moment = "m.began + interval '50 minutes'"
    root = {
        "id": chain_id,
        "root_conversation_id": "m.conversation_id",
        "current_handoff_id": f"(SELECT b.handoff_id FROM seed_map b WHERE b.chain = m.chain AND b.place = {length} - 1)",  # noqa: S608
        "total_handoffs": length,
    }
    _copy(HandoffChain, root, t=("id", handoff.chain_id), where="m.place = 0 AND m.packed")
    values = {
        "id": "m.handoff_id",
        "conversation_id": "m.conversation_id",
        "chain_id": chain_id,
        "position": "m.place + 1",
        "previous_handoff_id": "(SELECT b.handoff_id FROM seed_map b WHERE b.chain = m.chain AND b.place = m.place - 1)",
        "created_at": moment,
        "status": "CASE WHEN m.resumed THEN 'resumed' ELSE (ARRAY['ready', 'draft', 'failed'])[1 + m.chain %% 3] END",
        "resumed_at": f"CASE WHEN m.resumed THEN {moment} END",
        "resumed_conversation_id": f"CASE WHEN m.resumed THEN {next_one} END",
        "fidelity_score": "0.80 + (m.n * 13 %% 21) / 100.0",
    }
    _copy(Handoff, values, t=("id", handoff.id), where="m.packed")
    links = {"handoff_id": "m.handoff_id", "conversation_id": next_one, "created_at": moment}
    _copy(Resumption, links, t=("handoff_id", handoff.id), where="m.resumed")
    _copy(FidelityCheck, {"handoff_id": "m.handoff_id", "created_at": moment}, t=("handoff_id", handoff.id), where="m.packed")
    attempt = Attempt(id=uuid4(), team=pattern.team, kind=AttemptKind.HANDOFF, at=timezone.now(), succeeded=True, duration_ms=90.0)
    attempt.anchor_preservation = attempt.task_preservation = 1.0
    attempt.save()
    _copy(Attempt, {"at": moment, "duration_ms": "20 + m.n * 7 %% 300"}, t=("id", attempt.id), where="m.packed")


def _copy(model: type[models.Model], values: Values, *, t: tuple[str, UUID], where: str = "TRUE") -> None:
    """The rows of `model` whose column `t` is this, once for every row of the map that `where` chooses, with `values` replaced."""
    insert_copies(model, values, f"seed_map m ON t.{connection.ops.quote_name(t[0])} = %s AND {where}", [t[1]])
