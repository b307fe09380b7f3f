"""Long work as rows: claimed by lease, so that a killed worker's job goes on in another."""

import logging
import threading
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from types import TracebackType
from typing import Any, Self
from uuid import UUID, uuid4

from django.db import DatabaseError, InterfaceError, connection, models, transaction
from django.db.models import functions
from django.utils import timezone

from continuity.core import clock
from continuity.core.errors import DomainError, existing
from continuity.core.transactions import atomic
from continuity.models import Conversation, Job, JobStatus, Team, User
from continuity.services.events import events
from continuity.services.jobs import failures, queueing
from continuity.services.recording.row_sql import insert

logger = logging.getLogger("continuity.jobs")

# A worker that is killed is missed after this, at most, and its job taken up by the next sweep: within ten seconds in all.
LEASE = timedelta(seconds=5)
RENEWED_EVERY = timedelta(seconds=1)
MAX_ATTEMPTS = 5
DIED = "Given up: the process that did it was ended"
LONGEST_LEASE = max(LEASE, timedelta(seconds=2**MAX_ATTEMPTS))

Runner = Callable[["Lease"], Mapping[str, Any]]
_runners: dict[str, Runner] = {}


class LeaseLost(Exception):
    """Another worker took the job over: this one must stop without writing anything more."""


def runner(kind: str) -> Callable[[Runner], Runner]:
    """Registers the function that does jobs of `kind`. It may be started again from the beginning at any time."""

    def register(function: Runner) -> Runner:
        _runners[kind] = function
        return function

    return register


class Lease:
    """A job that this worker holds, kept while the process lives. Long work calls `advance` often, which tells the progress and ends
    work that another worker took over.

    As a context, a thread of its own renews the lease, however long a step of the work takes. `place` says what is at hand, such as a
    line of a file: an error is told with it.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.place = ""
        self._ending = threading.Event()
        self._renewing: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._ending.clear()
        self._renewing = threading.Thread(target=self._renew, name=f"lease of {self.job.id}", daemon=True)
        self._renewing.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._renewing is not None:
            self._ending.set()
            self._renewing.join()
            self._renewing = None

    def _renew(self) -> None:
        try:
            while not self._ending.wait(RENEWED_EVERY.total_seconds()):
                held = Job.objects.filter(id=self.job.id, lease_token=self.job.lease_token, status=JobStatus.RUNNING)
                try:
                    if not held.update(lease_until=timezone.now() + LEASE):
                        return  # `advance` ends the work
                except (DatabaseError, InterfaceError) as error:
                    told = {"error": type(error).__name__}
                    logger.warning("The lease of job %s could not be renewed", self.job.id, extra={"metadata": told})
                    connection.close()
        finally:
            connection.close()

    def advance(self, *, done: int | None = None, total: int | None = None) -> None:
        """Raises LeaseLost where the job is no longer ours."""
        values: dict[str, Any] = {"lease_until": timezone.now() + LEASE}
        if done is not None:
            values["done"] = done
        if total is not None:
            values["total"] = total
        if not Job.objects.filter(id=self.job.id, lease_token=self.job.lease_token, status=JobStatus.RUNNING).update(**values):
            raise LeaseLost

    def belongs_to(self, conversation: Conversation) -> None:
        """Notes the conversation that the job turned out to be about."""
        Job.objects.filter(id=self.job.id, lease_token=self.job.lease_token).update(conversation=conversation)


@atomic
def submit(
    *, team: Team, kind: str, arguments: Mapping[str, Any], created_by: User | None = None, conversation: Conversation | None = None
) -> Job:
    """Stores a job and hands it to the workers. `arguments` are ids and options, never message text."""
    job = Job(team=team, kind=kind, arguments=dict(arguments), created_by=created_by, conversation=conversation)
    insert(job)
    queueing.send("continuity.run_job", str(job.id))
    return job


def get(*, team: Team, job_id: UUID) -> Job:
    """The team's job. Raises NotFound."""
    return existing(Job.objects.filter(team=team, id=job_id).first(), "job")


@atomic
def dismiss(*, job: Job) -> None:
    """Tells no more of a job that failed; of any other it changes nothing, and twice is once."""
    if Job.objects.filter(id=job.id, status=JobStatus.FAILED, dismissed=False).update(dismissed=True):
        events.publish(name="job.dismissed", team=job.team, subject_id=job.id, payload={"kind": job.kind})


def run(*, job_id: UUID) -> None:
    """Does a job, unless it is done or another worker holds it."""
    job = _claim(job_id, timezone.now())
    if job is None:
        return
    lease = Lease(job)
    try:
        with lease:
            result = _runners[job.kind](lease)
    except LeaseLost:
        logger.warning("Job %s went on in another worker", job.id)
    except DomainError as error:
        _finish(job, JobStatus.FAILED, {}, error.detail)
    except Exception as error:
        logger.exception("Job %s (%s) failed", job.id, job.kind)
        if not failures.may_pass(error):
            _finish(job, JobStatus.FAILED, {}, failures.failure_text(error, place=lease.place))
            return
        # The lease ends and the sweep tries again, until the attempts are used up.
        Job.objects.filter(id=job.id, lease_token=job.lease_token).update(
            lease_until=timezone.now() + timedelta(seconds=2 ** min(job.attempts, MAX_ATTEMPTS)),
            error=failures.cause(error, place=lease.place),
        )
        raise
    else:
        _finish(job, JobStatus.DONE, result, "")


def _claim(job_id: UUID, now: datetime) -> Job | None:
    free = models.Q(status=JobStatus.QUEUED) | _abandoned(now)
    token = uuid4()
    claimed = Job.objects.filter(free, id=job_id, attempts__lt=MAX_ATTEMPTS).update(
        error="", status=JobStatus.RUNNING, lease_token=token, lease_until=now + LEASE, attempts=models.F("attempts") + 1
    )
    return Job.objects.select_related("team", "conversation", "created_by").get(id=job_id) if claimed else None


def _abandoned(now: datetime) -> models.Q:
    """Jobs whose worker did not keep its lease. One that lives and finds its job taken stops without writing."""
    return models.Q(status=JobStatus.RUNNING) & clock.due("lease_until", now=now, longest=LONGEST_LEASE)


def _finish(job: Job, status: JobStatus, result: Mapping[str, Any], error: str) -> None:
    with transaction.atomic():
        finished = Job.objects.filter(id=job.id, lease_token=job.lease_token, status=JobStatus.RUNNING).update(
            status=status, result=dict(result), error=error, finished_at=timezone.now(), lease_until=None
        )
        if finished:
            name = "job.done" if status == JobStatus.DONE else "job.failed"
            events.publish(name=name, team=job.team, subject_id=job.id, payload={"kind": job.kind})


def end_all(*, conversations: Collection[UUID], reason: str, kind: str = "") -> list[str]:
    """Ends the unfinished jobs (of one kind) about these conversations, and names the uploads of them all.

    A worker that does one loses its lease, and stops without writing anything more.
    """
    of_rows = Job.objects.filter(conversation__in=conversations, **({"kind": kind} if kind else {}))
    unfinished = of_rows.filter(status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
    unfinished.update(status=JobStatus.FAILED, error=reason, lease_until=None, lease_token=None, finished_at=timezone.now())
    return [name for name in of_rows.values_list("arguments__file", flat=True) if name]


def names_of_files(conversation: Conversation) -> set[str]:
    """The names under which files were uploaded into the conversation."""
    return {name for name in Job.objects.filter(conversation=conversation).values_list("arguments__name", flat=True) if name}


def try_again(*, job: Job) -> bool:
    """Gives a job that failed to the workers once more, with all its attempts. False where it did not fail."""
    anew = {"status": JobStatus.QUEUED, "attempts": 0, "error": "", "dismissed": False, "lease_until": None, "finished_at": None}
    if not Job.objects.filter(id=job.id, status=JobStatus.FAILED).update(**anew):
        return False
    queueing.send("continuity.run_job", str(job.id))
    return True


def sweep(*, now: datetime, limit: int = 100) -> int:
    """Sends unfinished jobs that nobody works on to the workers again; gives up one that failed too often. Returns how many it sent."""
    idle = (models.Q(status=JobStatus.QUEUED) & clock.settled("created_at", now=now, age=timedelta(seconds=5))) | _abandoned(now)
    _give_up_spent(idle, now)
    waiting = list(Job.objects.filter(idle, attempts__lt=MAX_ATTEMPTS).order_by("created_at").values_list("id", flat=True)[:limit])
    for job_id in waiting:
        queueing.send("continuity.run_job", str(job_id))
    return len(waiting)


@transaction.atomic
def _give_up_spent(idle: models.Q, now: datetime) -> None:
    """Passes over the jobs that somebody holds; the next sweep comes soon. Each is told of as one that fails by itself."""
    rows = Job.objects.select_for_update(skip_locked=True, of=("self",)).select_related("team")
    spent = list(rows.filter(idle, attempts__gte=MAX_ATTEMPTS))
    given_up, died = f"Given up after {MAX_ATTEMPTS} attempts. The last one: ", f"{DIED} {MAX_ATTEMPTS} times."
    error = models.Case(
        models.When(error="", then=models.Value(died)),
        default=functions.Concat(models.Value(given_up), "error", output_field=models.TextField()),
        output_field=models.TextField(),
    )
    Job.objects.filter(id__in=[job.id for job in spent]).update(status=JobStatus.FAILED, error=error, finished_at=now, lease_until=None)
    for job in spent:
        events.publish(name="job.failed", team=job.team, subject_id=job.id, payload={"kind": job.kind})
