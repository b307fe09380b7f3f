"""The policy that holds for a conversation: its own, its team's, the defaults, in this order."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection

from continuity.core.errors import Invalid
from continuity.core.transactions import atomic
from continuity.models import Conversation, Team
from continuity.services.accounts import gates
from continuity.services.events import events
from handoffs.building.preparation import MAX_BUDGET, MIN_BUDGET
from handoffs.contract.model import Options, Style
from handoffs.models import HandoffPolicy
from handoffs.policy import Policy
from handoffs.services.packages.authors import Author

GATE = "Agents.Continuity.Service"
THRESHOLDS = tuple(each.name for each in fields(Policy) if each.name not in ("cooldown", "licensed"))
PREPARING = ("review", "budget", "style", "max_chain_length", "ask_for_notes")
EDITABLE = frozenset((*THRESHOLDS, "cooldown_seconds", *PREPARING))
LONGEST_COOLDOWN = 7 * 86_400
# The team's own first, and the conversation's over it.
# Read raw by every decision: composing the query takes twice as long as running it.
_HOLDING = """
SELECT * FROM handoffs_handoffpolicy WHERE team_id = %s AND (conversation_id IS NULL OR conversation_id = %s)
ORDER BY conversation_id NULLS FIRST
"""
_SET = ", ".join(str(field.column) for field in HandoffPolicy._meta.concrete_fields if field.name not in ("id", "conversation"))
_CARRY = (
    f"INSERT INTO {HandoffPolicy._meta.db_table} (id, conversation_id, {_SET}) "  # noqa: S608  our own names
    f"SELECT gen_random_uuid(), %s, {_SET} FROM {HandoffPolicy._meta.db_table} WHERE conversation_id = %s"
)


@dataclass(frozen=True, slots=True)
class Effective:
    """The policy that holds: when to hand off, whether packages wait for a person, and budget (tokens) and style of automatic ones,
    how many handoffs a chain may have (None: what the operator set), and whether hooks ask agents for handoff notes."""

    policy: Policy = field(default_factory=Policy)
    review: bool = False
    budget: int = Options().budget
    style: Style = Options().style
    max_chain_length: int | None = None
    ask_for_notes: bool = True


def effective(*, team: Team, conversation: Conversation | None = None) -> Effective:
    """The policy for the conversation, or for the team's conversations without a policy of their own. One query."""
    return _merged(team, *HandoffPolicy.objects.raw(_HOLDING, [team.id, conversation.id if conversation else None]))


def own(*, team: Team, conversation: Conversation | None) -> HandoffPolicy:
    """The row of the team or of the conversation; an empty, unsaved one where nothing was set. One query."""
    found = HandoffPolicy.objects.filter(team=team, conversation=conversation).first()
    return found or HandoffPolicy(team=team, conversation=conversation)


@atomic
def change(*, team: Team, conversation: Conversation | None, changes: Mapping[str, Any], author: Author) -> Effective:
    """Sets fields; None takes one back to what the team or the default says. Raises Invalid naming the field."""
    Team.objects.select_for_update(no_key=True).get(id=team.id)  # of two changes at the same moment one waits
    held = own(team=team, conversation=conversation)
    row, merged = _changed(team, conversation, changes)
    row.updated_by = author.user
    row.save()
    subject = conversation.id if conversation else team.id
    values = {name: [getattr(held, name), getattr(row, name)] for name in sorted(changes) if getattr(held, name) != getattr(row, name)}
    events.publish(name="policy.changed", team=team, subject_id=subject, payload={"fields": sorted(changes), "values": values})
    return merged


def check(*, team: Team, conversation: Conversation | None, changes: Mapping[str, Any]) -> None:
    """Raises what `change` would, and changes nothing."""
    _changed(team, conversation, changes)


def _changed(team: Team, conversation: Conversation | None, changes: Mapping[str, Any]) -> tuple[HandoffPolicy, Effective]:
    """The row as it would be, and what would hold then."""
    unknown = sorted(set(changes) - EDITABLE)
    if unknown:
        raise Invalid(f"These fields can't be changed: {', '.join(unknown)}.", field=unknown[0])
    row = own(team=team, conversation=conversation)
    for name, value in changes.items():
        setattr(row, name, value if name != "style" else value or "")
    _check(row)
    team_wide = [] if conversation is None else list(HandoffPolicy.objects.filter(team=team, conversation=None))
    return row, _merged(team, *team_wide, row)


def carry(*, heir: Conversation, predecessor: Conversation) -> None:
    """Lets what was set for a conversation hold for the one that goes on from it. The caller's transaction. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_CARRY, [heir.id, predecessor.id])


def _check(row: HandoffPolicy) -> None:
    if row.budget is not None and not MIN_BUDGET <= row.budget <= MAX_BUDGET:
        raise Invalid(f"budget must lie between {MIN_BUDGET:,} and {MAX_BUDGET:,} tokens.", field="budget")
    most = settings.CONTINUITY_MAX_CHAIN_LENGTH
    if row.max_chain_length is not None and not 1 <= row.max_chain_length <= most:
        raise Invalid(f"max_chain_length must lie between 1 and {most:,}, the operator's limit.", field="max_chain_length")
    if row.style and row.style not in list(Style):
        raise Invalid(f"style must be one of {', '.join(Style)}.", field="style")
    if row.cooldown_seconds is not None and not 0 <= row.cooldown_seconds <= LONGEST_COOLDOWN:
        raise Invalid(f"cooldown_seconds must lie between 0 and {LONGEST_COOLDOWN:,}.", field="cooldown_seconds")


def _merged(team: Team, *rows: HandoffPolicy) -> Effective:
    """The rows over one another, later ones first. Raises Invalid where the thresholds are out of order."""
    values: dict[str, Any] = {}
    for row in rows:
        values |= {name: value for name in EDITABLE if (value := getattr(row, name)) not in (None, "")}
    thresholds = {name: values[name] for name in THRESHOLDS if name in values}
    if "cooldown_seconds" in values:
        thresholds["cooldown"] = timedelta(seconds=values["cooldown_seconds"])
    try:
        policy = Policy(**thresholds, licensed=gates.is_open(team, GATE))
    except ValueError as error:
        raise Invalid(f"{error}.", field=str(error).partition(":")[0]) from error
    standard = Effective()
    return Effective(
        policy,
        review=values.get("review", standard.review),
        budget=values.get("budget", standard.budget),
        style=Style(values.get("style", standard.style)),
        max_chain_length=values.get("max_chain_length"),
        ask_for_notes=values.get("ask_for_notes", standard.ask_for_notes),
    )
