"""Compares a stored package with all knowledge, and with the package before it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from continuity import queries
from continuity.core.errors import Conflict
from continuity.knowledge import NewerState, OutdatedState
from continuity.knowledge.model import TaskStatus
from continuity.knowledge.requests.belonging import Belonging, belongings, known_by
from continuity.models import Anchor, Conversation, Task
from continuity.services.knowledge import fold_runner
from continuity.services.knowledge import queries as knowledge_queries
from handoffs.building.comparison import ComparedLine, Fate, PackageDifference, difference, omitted
from handoffs.building.masking import masked
from handoffs.building.progress import ProgressSince, progress
from handoffs.contract import package_json
from handoffs.models import Handoff
from handoffs.services.edits import regenerate
from handoffs.services.notes import note_queries as notes
from handoffs.services.packages.known_before import Place, known_before, places_of

# Anchors that are looked through for what was left out.
ANCHORS = 1000
SESSIONS = 50  # of a chain, whose folders are known to a comparison


def omitted_knowledge(handoff: Handoff) -> Sequence[ComparedLine]:
    """The knowledge of the conversation that is not in the package, the most valuable first. A fixed number of queries.

    Raises Conflict while newer rules read the conversation anew, which it asks for at once, NewerRules where those are of another release.
    """
    try:
        known = masked(queries.knowledge_of(handoff.conversation, anchors_limit=ANCHORS))  # as packages are made
    except OutdatedState as error:
        fold_runner.ask_at_once(conversation_id=handoff.conversation_id)
        raise Conflict("This conversation is being read anew with newer rules. Look again in a moment.") from error
    except NewerState as error:
        raise fold_runner.newer_rules(error.found) from error
    known = replace(known, note=notes.in_use(handoff.conversation, known))
    return omitted(known, package_json.from_contract(handoff.package), regenerate.steering_of(handoff))


def previous_of(handoff: Handoff) -> Handoff | None:
    """The handoff before this one: of its chain, or made earlier of the same conversation. At most two queries."""
    if handoff.previous_handoff is not None:
        earlier = Handoff.objects.filter(conversation=handoff.conversation, created_at__lt=handoff.created_at)
        return earlier.order_by("-created_at").first() or handoff.previous_handoff
    return Handoff.objects.filter(conversation=handoff.conversation, created_at__lt=handoff.created_at).order_by("-created_at").first()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two packages of a chain: what differs, what was done between them, and by key the reasons that the later one has. `anchors` says in
    which conversation what superseded a lost line is an anchor, by the lost line's key. `belongings` say what messages that say little by
    themselves belong to, `tasks` by key which tasks are such messages. `told_now` are the keys of those new lines that were said before the
    earlier package, which did not tell them; `places` where the words of a line stand, by key."""

    difference: PackageDifference
    progress: ProgressSince
    reasons: dict[str, str]
    anchors: dict[str, UUID]
    belongings: Mapping[str, Belonging]
    tasks: dict[str, Belonging]
    told_now: frozenset[str]
    places: Mapping[str, Place]


def since_previous(handoff: Handoff, previous: Handoff) -> Comparison:
    """The lines that are new, gone and changed since `previous`, and the progress. Twelve queries, fifteen at most."""
    before, after = package_json.from_contract(previous.package), package_json.from_contract(handoff.package)
    keys = {item.key for package in (before, after) for section in package.sections for item in section.items}
    fates: dict[str, Fate] = {}
    anchors: dict[str, UUID] = {}
    for conversation in (previous.conversation, handoff.conversation):  # what the later one knows holds
        known = _fates(conversation, keys)
        fates |= known
        anchors |= {key: conversation.id for key, fate in known.items() if fate.by}
    folders = {before.situation.cwd, after.situation.cwd, *_folders(handoff)}
    belongs = belongings(knowledge_queries.outline(handoff.conversation_id)[0].requests)
    found = difference(before.sections, after.sections, fates, folders)
    places = places_of(handoff.conversation_id, {item.key for _, item in found.new} | {each.after.key for each in found.changed})
    return Comparison(
        found,
        progress(before, after),
        {anchor.key: anchor.rationale for anchor in after.anchors if anchor.rationale},
        anchors,
        belongs,
        {task.key: of for package in (before, after) for task in package.tasks if (of := belongs.get(known_by(task.description)))},
        known_before(handoff, previous, [item for _, item in found.new], places),
        places_of(previous.conversation_id, {each.item.key for each in found.gone}) | places,
    )


def _folders(handoff: Handoff) -> Iterable[str]:
    """Where the sessions of its chain worked, the latest first. One query."""
    handoffs = Handoff.objects.filter(chain=handoff.chain_id).order_by("-created_at")
    return handoffs.values_list("conversation__cwd", flat=True)[:SESSIONS]


def _fates(conversation: Conversation, keys: Iterable[str]) -> dict[str, Fate]:
    anchors = Anchor.objects.filter(conversation=conversation, key__in=keys).values_list("key", "state", "superseded_by")
    tasks = Task.objects.filter(conversation=conversation, key__in=keys).values_list("key", "status", "dismissed")
    found = {key: Fate(state, by) for key, state, by in anchors}
    for key, status, dismissed in tasks:
        found[key] = Fate("dismissed" if dismissed else "done" if status == TaskStatus.COMPLETED else "current")
    return found
