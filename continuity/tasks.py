"""Celery tasks; each takes ids, calls one service, and is safe to run twice."""

from collections.abc import Callable
from functools import partial
from typing import ParamSpec
from uuid import UUID

from celery import Task, shared_task
from django.db import OperationalError
from django.utils import timezone

from continuity.services import log_lines
from continuity.services.erasure import cleanups, notices, retention
from continuity.services.events import bus, redelivery
from continuity.services.groups import model_advice, turns
from continuity.services.jobs import deferrals, jobs, sweep_parts
from continuity.services.knowledge import fold_runner, secret_spans
from continuity.services.model import model_extraction
from continuity.services.recording import expiry, imports
from continuity.services.search import indexing
from continuity.services.segments import segments

__all__ = ["imports", "model_extraction"]  # imported for their job runners

P = ParamSpec("P")


def task(name: str) -> Callable[[Callable[P, None]], Task[P, None]]:
    """A task that is repeated where the database went away under it."""
    return shared_task(name=name, autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)


@task("continuity.distil")
def distil(conversation_id: str) -> None:
    def fold(subject_id: UUID) -> None:
        fold_runner.catch_up(conversation_id=subject_id)

    fold_it = partial(deferrals.one, kind=fold_runner.KIND, subject_id=UUID(conversation_id), work=fold)
    sweep_parts.all_of(fold=fold_it, index=indexing.catch_up)


@task("continuity.advise_group")
def advise_group(group_id: str) -> None:
    model_advice.ask_ahead(group_id=UUID(group_id))
    turns.attend(group_id=UUID(group_id), now=timezone.now())


@task("continuity.tell_segments")
def tell_segments(conversation_id: str) -> None:
    segments.summarise_pending(conversation_id=UUID(conversation_id))


@task("continuity.run_job")
def run_job(job_id: str) -> None:
    jobs.run(job_id=UUID(job_id))


@task("continuity.sweep")
def sweep() -> None:
    """Finds what a dead process or broker left undone: events, jobs, cleaning up, distilling, words to search by, levels of segments."""
    now = timezone.now()
    sweep_parts.all_of(
        jobs=partial(jobs.sweep, now=now),
        events=bus.sweep,
        letters=partial(redelivery.sweep, now=now),
        cleanups=partial(cleanups.sweep, now=now),
        fold=partial(fold_runner.sweep, now=now),
        index=indexing.catch_up,
        segments=partial(segments.summarise_pending, now=now, limit=200),
    )


@task("continuity.refold_outdated")
def refold_outdated() -> None:
    fold_runner.refold_outdated(limit=20)


@task("continuity.refold")
def refold(conversation_id: str) -> None:
    fold_runner.refold(conversation_id=UUID(conversation_id))


@task("continuity.find_secrets_again")
def find_secrets_again() -> None:
    secret_spans.sweep(limit=50)


@task("continuity.expire_conversations")
def expire_conversations() -> None:
    now = timezone.now()
    sweep_parts.all_of(
        warn=partial(notices.warn_of_conversations, now=now),
        expire=partial(expiry.expire_lapsed, now=now),
        idle=partial(expiry.mark_idle, now=now),
    )


@task("continuity.clean_up_invalidated")
def clean_up_invalidated() -> None:
    cleanups.sweep(now=timezone.now())


@task("continuity.clean_up_pending")
def clean_up_pending() -> None:
    cleanups.sweep_pending(now=timezone.now())


@task("continuity.purge_log_lines")
def purge_log_lines() -> None:
    log_lines.purge(now=timezone.now())


@task("continuity.purge")
def purge() -> None:
    retention.purge(now=timezone.now())
