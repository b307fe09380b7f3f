"""Event handlers of handoffs."""

import logging

from django.db.models import F, QuerySet

from continuity.core.transactions import atomic
from continuity.models import Conversation, ConversationStatus, Event
from continuity.services.events.bus import LOCK_WAIT, on
from continuity.services.jobs import lock_waits, queueing
from continuity.services.model import model_passes
from continuity.services.recording import sessions
from handoffs.models import Handoff, NoteAuthor, PackSession
from handoffs.policy.policy import Policy
from handoffs.services.chains import backup_handoff, continuation
from handoffs.services.notes import model_notes, package_refresh
from handoffs.services.packages import decisions, policies

logger = logging.getLogger("continuity.handoffs")

CAPTURE_SECONDS = 60
PROBES_SECONDS = 10

sessions.successor(continuation.successor)


@on("messages.appended", locks=False)
def flag_packages_behind(event: Event) -> None:
    """A conversation that was handed off went on: its packages say how far they are behind."""
    if event.subject_id and event.payload["status"] == ConversationStatus.HANDED_OFF:
        last_seq = event.payload["last_seq"]
        behind = Handoff.objects.filter(conversation_id=event.subject_id, through_seq__lt=last_seq)
        with lock_waits.at_most(LOCK_WAIT):
            _flag(behind, last_seq)


@atomic
def _flag(behind: "QuerySet[Handoff]", last_seq: int) -> None:
    list(behind.select_for_update(no_key=True).order_by("id").values_list("id"))  # in the order in which others lock several
    behind.update(messages_after=last_seq - F("through_seq"))


@on("messages.appended", locks=False)
def gather_probes(event: Event) -> None:
    """Reads what was appended for the bank of probes soon, so that preparing does not have to."""
    if event.subject_id:
        queueing.send("handoffs.gather_probes", str(event.subject_id), once_in=PROBES_SECONDS)


@on("messages.appended", locks=False)
def capture_memory(event: Event) -> None:
    """Drafts what a session taught once it paused: its knowledge is folded by then, and a long turn is read once."""
    if event.subject_id and PackSession.objects.filter(conversation=event.subject_id).exists():
        queueing.send("handoffs.capture_memory", str(event.subject_id), once_in=CAPTURE_SECONDS)


@on("conversation.threshold_crossed")
def warn_of_limit(event: Event) -> None:
    """A conversation that should hand off, or has few turns left, is told of in the log; from 80 % on everything is made ready."""
    conversation = Conversation.objects.select_related("team").filter(id=event.subject_id).first() if event.subject_id else None
    if conversation is None:
        return
    effective = policies.effective(team=conversation.team, conversation=conversation)
    decision = decisions.decision_on(conversation, effective)
    if decision.fold_now:
        queueing.send("handoffs.make_ready", str(conversation.id), once_in=1)
    if decision.event or decision.should_handoff:
        turns = "few" if decision.remaining_turns is None else decision.remaining_turns
        told = {"conversation_id": str(conversation.id), "remaining_turns": decision.remaining_turns}
        logger.warning("[CONT:LIMIT] Context limit approaching: %s - %s turns remaining", conversation.id, turns, extra={"metadata": told})


@on("conversation.threshold_crossed")
def propose_ahead(event: Event) -> None:
    """Asks the model, where there is one, before a handoff is due, so that preparing does not wait for it; also for a note."""
    if event.subject_id and event.payload["utilization"] >= Policy().fold_at:
        model_passes.request(conversation_id=event.subject_id)
        model_notes.request(conversation_id=event.subject_id)


@on("note.written")
def take_in_note(event: Event) -> None:
    """An automatic package that waits to be resumed is made again with the note that was written since."""
    if event.subject_id and event.payload["kind"] in (NoteAuthor.AGENT, NoteAuthor.PERSON):
        package_refresh.take_in(conversation_id=event.subject_id)


@on("agent.replacement_wanted")
def brief_backup(event: Event) -> None:
    """A backup goes on where an agent failed; a worker prepares what it is told."""
    queueing.send("handoffs.relieve", event.payload["attempt"])


@on("handoff.made_ready")
def go_on_after_review(event: Event) -> None:
    """A backup that waits for a person's review of its briefing goes on."""
    if event.subject_id:
        backup_handoff.approved(handoff_id=event.subject_id)


@on("group.joined")
def brief_joiner(event: Event) -> None:
    """Who joins a group late is told what was said; a worker prepares it."""
    if event.payload["late"]:
        queueing.send("handoffs.brief_joiner", event.payload["participant"])
