"""Long work that continues after its request: imports of files, and where a job stands."""

from uuid import UUID

from ninja import Field, File, Form, Router, Schema, Status, UploadedFile
from pydantic import AwareDatetime

from continuity.api.access import READ, WRITE, ApiRequest
from continuity.api.idempotent import idempotent
from continuity.api.masks import MaskedJson, MaskedText, MaskedTexts
from continuity.api.problems import answers
from continuity.models import Job, Scope
from continuity.models.jobs import JobStatus
from continuity.services.jobs import jobs
from continuity.services.recording import imports

router = Router(tags=["jobs"])


class ImportForm(Schema):
    """How to read the file, and into which conversation; without one, the session's own is found or opened."""

    format: str = Field("auto", max_length=40, examples=["claude-code"])
    conversation_id: UUID | None = None


class JobOut(Schema):
    """A job. `done` of `total` is its progress; `result` is there when it is `done`, `error` when it `failed`."""

    id: UUID
    kind: str
    status: JobStatus
    done: int
    total: int
    conversation_id: UUID | None
    result: MaskedJson
    error: MaskedText
    warnings: MaskedTexts
    created_at: AwareDatetime
    finished_at: AwareDatetime | None


@router.post("/conversations/import", auth=WRITE, response=answers(JobOut, 202, 413), summary="Import a transcript file")
@idempotent
def import_transcript(request: ApiRequest, file: File[UploadedFile], form: Form[ImportForm]) -> Status[JobOut]:
    """Takes a file (multipart) and reads it in the background; ask for the job until it is done.

    Importing a file again, or a later state of it, adds only what is new.
    """
    principal = request.auth
    job = imports.begin(
        team=principal.team,
        upload=file,
        format=form.format,
        conversation_id=form.conversation_id,
        created_by=principal.user,
        may_go_on=principal.may(Scope.HANDOFF),
    )
    return Status(202, JobOut.from_orm(job))


@router.get("/jobs/{uuid:job_id}", auth=READ, response=answers(JobOut), summary="See where a job stands")
def get_job(request: ApiRequest, job_id: UUID) -> Status[Job]:
    """Progress, result and error of a job."""
    return Status(200, jobs.get(team=request.auth.team, job_id=job_id))
