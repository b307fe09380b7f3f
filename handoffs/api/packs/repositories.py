"""Repositories of a team, their figures, and what was captured of their sessions."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from ninja import Query, Router, Schema, Status

from continuity.api.access import HANDOFF, READ, ApiRequest
from continuity.api.problems import answers
from handoffs.api.authoring import author
from handoffs.api.packs.forms import ArtifactOut, ArtifactsOut, DecisionIn, RepositoriesOut, RepositoryDetailOut
from handoffs.models import Artifact, ArtifactStatus, Repository
from handoffs.services.packs import measures, repositories, reviewing

router = Router()


class ArtifactQuery(Schema):
    status: ArtifactStatus | None = None


MOST = 200
OF_REPOSITORY = "/repositories/{uuid:repository_id}"


@router.get("/repositories", auth=READ, response=answers(RepositoriesOut), summary="List repositories")
def list_repositories(request: ApiRequest) -> Status[dict[str, Any]]:
    """Those that the team's sessions worked in, the one used last first, at most 200."""
    rows = Repository.objects.visible_to(request.auth.team).order_by("-seen_at")[:MOST]
    return Status(200, {"items": list(rows)})


@router.get(OF_REPOSITORY, auth=READ, response=answers(RepositoryDetailOut), summary="Read a repository and its figures")
def get_repository(request: ApiRequest, repository_id: UUID) -> Status[dict[str, Any]]:
    """The effect of packs there, or the effect that they would have had where they are only measured."""
    row = repositories.get(team=request.auth.team, repository_id=repository_id)
    shown = {name: getattr(row, name) for name in ("id", "key", "name", "remote", "created_at", "seen_at")}
    return Status(200, {**shown, "measures": asdict(measures.of_repository(row))})


@router.get(f"{OF_REPOSITORY}/artifacts", auth=READ, response=answers(ArtifactsOut), summary="List what was captured")
def list_artifacts(request: ApiRequest, repository_id: UUID, query: Query[ArtifactQuery]) -> Status[dict[str, Any]]:
    """Drafts and what people decided about them, the newest first, at most 200."""
    row = repositories.get(team=request.auth.team, repository_id=repository_id)
    return Status(200, {"items": reviewing.of_repository(row, status=query.status or "")})


@router.patch(
    f"{OF_REPOSITORY}/artifacts/{{uuid:artifact_id}}", auth=HANDOFF, response=answers(ArtifactOut), summary="Review a captured lesson"
)
def decide_artifact(request: ApiRequest, repository_id: UUID, artifact_id: UUID, payload: DecisionIn) -> Status[Artifact]:
    """Accepts, rejects or reopens it. What is accepted stands in the next session's Anchor pack."""
    team = request.auth.team
    row = repositories.get(team=team, repository_id=repository_id)
    told: dict[str, Any] = {"ids": [artifact_id], "action": payload.action, "text": payload.text}
    return Status(200, reviewing.decide(team=team, repository=row, author=author(request), **told)[0])
