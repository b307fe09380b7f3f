"""The progress of long work."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from continuity.models import Job, JobStatus, Scope
from continuity.services.jobs import jobs
from continuity.views.access import MemberRequest, member_page


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def page(request: MemberRequest, job_id: UUID) -> HttpResponse:
    """The page, or under htmx the progress; nothing (304) where the asker has seen this state. Sent, it dismisses a failure."""
    job = jobs.get(team=request.principal.team, job_id=job_id)
    if request.method == "POST":
        request.principal.require(Scope.WRITE)
        jobs.dismiss(job=job)
        return redirect("home")
    if request.htmx and request.headers.get("If-None-Match", "").strip('"') == _state(job):
        return HttpResponseNotModified()
    return render(request, "jobs/job.html#progress" if request.htmx else "jobs/job.html", shown(job))


def shown(job: Job) -> dict[str, Any]:
    """The fields of the progress panel."""
    return {"job": job, "state": _state(job), "running": job.status in (JobStatus.QUEUED, JobStatus.RUNNING)}


def _state(job: Job) -> str:
    """A digest of the panel's state, for an entity tag."""
    return f"{job.status}-{job.done}-{job.total}-{job.attempts}"
