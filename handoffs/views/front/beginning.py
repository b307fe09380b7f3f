"""The first steps of a team on its first page, and the way to the demo beside them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from continuity.accounts.roles import Permission
from continuity.models import Job, JobStatus, Scope
from continuity.views import jobs
from continuity.views.access import MemberRequest
from handoffs import first_steps

HIDDEN = "first-steps-hidden"  # the session's key for the teams in which somebody does not want to see them
MOST = 50


def shown(request: MemberRequest, now: datetime, *, begun: bool) -> Mapping[str, Any]:
    """What the page shows of them; nothing where all is done, long ago, or hidden. One query, and one for the demo until something is
    recorded."""
    team, principal = request.principal.team, request.principal
    demo = {} if begun else {"demo": _demo(request)}
    may_import = {"may_import": Scope.WRITE in principal.scopes}
    if not first_steps.are_of_use(team, now) or team.slug in request.session.get(HIDDEN, ()):
        return {**demo, **may_import}
    steps = first_steps.first_steps(team)
    left = [step for step in steps if not step.done]
    if not left:
        return {**demo, **may_import}
    return {
        **demo,
        **may_import,
        "steps": steps,
        "steps_done": len(steps) - len(left),
        "next_step": left[0],
        "begun": begun,
        "address": request.build_absolute_uri("/").rstrip("/"),
        "may_make_keys": principal.may(Permission.KEYS),
        "may_invite": principal.may(Permission.PEOPLE),
    }


def hide(request: MemberRequest) -> None:
    """This browser shows the list of this team no more."""
    kept = [slug for slug in request.session.get(HIDDEN, ()) if slug != request.principal.team.slug]
    request.session[HIDDEN] = [*kept[-MOST:], request.principal.team.slug]


def _demo(request: MemberRequest) -> Mapping[str, Any]:
    """The demo team, where the person is in one; before it is there, the progress of who loads it."""
    job = Job.objects.filter(team=request.principal.team, kind="demo", created_by=request.user).order_by("-created_at").first()
    if job is not None and job.status != JobStatus.DONE:
        return {**jobs.shown(job)}
    team = next((team for team in request.principal.teams if team.demo), None)
    return {"team": team} if team and not request.principal.team.demo else {}
