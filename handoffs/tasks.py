"""Celery tasks of handoffs."""

from functools import partial
from uuid import UUID

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from continuity.services.jobs import deferrals, sweep_parts
from continuity.services.knowledge import fold_runner
from handoffs.services.chains import backup_handoff
from handoffs.services.erasure import erasing
from handoffs.services.groups import joiner_briefing
from handoffs.services.notes import model_notes
from handoffs.services.packages import append_followup, automatic, checks, cleanup, preparation, probe_bank
from handoffs.services.packs import capturing, governing, pack_caches

__all__ = ["model_notes", "preparation"]  # imported for their job runners


@shared_task(name="handoffs.delete_expired", autoretry_for=(OperationalError,), retry_backoff=True)
def delete_expired() -> None:
    now = timezone.now()
    sweep_parts.all_of(
        warn=partial(cleanup.warn_of_expiring, now=now),
        delete=partial(cleanup.delete_expired, now=now),
        checks=partial(checks.forget, now=now),
        packs=partial(pack_caches.forget_unused, now=now),
        memory=capturing.sweep,
    )


@shared_task(name="handoffs.make_ready", autoretry_for=(OperationalError,), retry_backoff=True)
def make_ready(conversation_id: str) -> None:
    deferrals.one(kind=fold_runner.KIND, subject_id=UUID(conversation_id), work=lambda each: automatic.make_ready(conversation_id=each))


@shared_task(name="handoffs.gather_probes", autoretry_for=(OperationalError,), retry_backoff=True)
def gather_probes(conversation_id: str) -> None:
    deferrals.one(kind=probe_bank.KIND, subject_id=UUID(conversation_id), work=lambda each: probe_bank.gather(conversation_id=each))


@shared_task(name="handoffs.gather_left_probes", autoretry_for=(OperationalError,), retry_backoff=True)
def gather_left_probes() -> None:
    probe_bank.sweep()


@shared_task(name="handoffs.finish_erasing", autoretry_for=(OperationalError,), retry_backoff=True)
def finish_erasing() -> None:
    erasing.sweep(now=timezone.now())


@shared_task(name="handoffs.follow_up", autoretry_for=(OperationalError,), retry_backoff=True)
def follow_up(conversation_id: str) -> None:
    append_followup.follow_again(conversation_id=UUID(conversation_id))


@shared_task(name="handoffs.follow_up_left", autoretry_for=(OperationalError,), retry_backoff=True)
def follow_up_left() -> None:
    append_followup.sweep()


@shared_task(name="handoffs.relieve", autoretry_for=(OperationalError,), retry_backoff=True)
def relieve(attempt_id: str) -> None:
    backup_handoff.relieve(attempt_id=UUID(attempt_id))


@shared_task(name="handoffs.relieve_left", autoretry_for=(OperationalError,), retry_backoff=True)
def relieve_left() -> None:
    backup_handoff.relieve_pending()


@shared_task(name="handoffs.brief_joiner", autoretry_for=(OperationalError,), retry_backoff=True)
def brief_joiner(participant_id: str) -> None:
    joiner_briefing.brief(participant_id=UUID(participant_id))


@shared_task(name="handoffs.brief_joiners_left", autoretry_for=(OperationalError,), retry_backoff=True)
def brief_joiners_left() -> None:
    joiner_briefing.brief_pending()


@shared_task(name="handoffs.secure_session", autoretry_for=(OperationalError,), retry_backoff=True)
def secure_session(conversation_id: str, begin_anew: bool) -> None:
    governing.secure(conversation_id=UUID(conversation_id), begin_anew=begin_anew)


@shared_task(name="handoffs.capture_memory", autoretry_for=(OperationalError,), retry_backoff=True)
def capture_memory(conversation_id: str) -> None:
    capturing.capture(conversation_id=UUID(conversation_id))
