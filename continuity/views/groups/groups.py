"""Groups of a team; one of them live: who speaks and why, where the workflow is, who is away, what is said."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from continuity.accounts.roles import Permission
from continuity.charts import workflow as drawn
from continuity.core.errors import Invalid
from continuity.groups.model import GroupStatus
from continuity.models import Group, GroupSelection
from continuity.services.groups import group_sql, groups, people, situations, turns, workflows
from continuity.views.access import MemberRequest, member_page

SHOWN, SAID, CHOSEN, CLIP = 100, 30, 20, 2000


@member_page
@require_safe
def listing(request: MemberRequest) -> HttpResponse:
    """Those at work first, then the latest."""
    rows = Group.objects.visible_to(request.principal.team).select_related("conversation").prefetch_related("participants__agent")
    found = list(rows.order_by("-created_at")[:SHOWN])
    found.sort(key=lambda each: each.status == GroupStatus.CLOSED)
    return render(request, "groups/groups.html#list" if request.htmx else "groups/groups.html", {"groups": found, "most": SHOWN})


@member_page
@require_safe
def page(request: MemberRequest, group_id: UUID) -> HttpResponse:
    """The page, or under htmx what changes by itself."""
    group = groups.get(team=request.principal.team, group_id=group_id)
    transitions = workflows.of(group.id)
    chosen = list(GroupSelection.objects.filter(group=group).order_by("-number")[:CHOSEN])
    said = [
        {"seq": each.seq, "speaker": each.speaker, "text": each.text[:CLIP], "cut": len(each.text) > CLIP}
        for each in situations.latest_messages(group.conversation_id, SAID)
    ]
    shown = {
        "group": group,
        "participants": group_sql.participants(group.id),
        "turn": next((each for each in chosen if each.status == "open"), None),
        "chosen": chosen,
        "said": said,
        "picture": drawn.picture(group.steps, step=group.step, done=[each.before for each in transitions]),
        "transitions": transitions[:CHOSEN],
        "may_say": request.principal.may(Permission.WRITE) and group.status != GroupStatus.CLOSED,
    }
    return render(request, "groups/group.html#live" if request.htmx else "groups/group.html", shown)


@member_page
@require_POST
def say(request: MemberRequest, group_id: UUID) -> HttpResponse:
    """A person says something to the group."""
    request.principal.require(Permission.WRITE)
    people.say(team=request.principal.team, group_id=group_id, text=request.POST.get("text", ""), now=timezone.now())
    messages.success(request, "The group has it.")
    return redirect("group", group_id)


@member_page
@require_POST
def rate(request: MemberRequest, group_id: UUID, turn_id: UUID) -> HttpResponse:
    """Whether the right one was chosen."""
    request.principal.require(Permission.WRITE)
    groups.get(team=request.principal.team, group_id=group_id)
    thumb = request.POST.get("thumb", "")
    if thumb not in ("-1", "0", "1"):
        raise Invalid("A thumb is 1, -1 or 0.", field="thumb")
    turns.rate(team=request.principal.team, group_id=group_id, turn_id=turn_id, thumb=int(thumb), by=request.principal.name)
    return redirect("group", group_id)
