"""Changing who is in the team and as what."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from continuity.accounts import roles
from continuity.accounts.roles import Permission
from continuity.core.errors import Invalid
from continuity.models import ApiKey, Invitation, Membership, Role
from continuity.services.accounts import members
from continuity.views import confirming
from continuity.views.access import TEAM, MemberRequest, member_page

NAMED = 5  # keys that a question names


class RoleForm(forms.Form):
    role = forms.TypedChoiceField(choices=Role.choices, coerce=lambda value: Role(int(value)))


@member_page
@require_POST
def change_role(request: MemberRequest, user_id: UUID) -> HttpResponse:
    """Changes the role. Who gives up their own right to change roles, and so can't take it back, is asked first."""
    request.principal.require(Permission.PEOPLE)
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise Invalid("Choose one of the roles.", field="role")
    team, role = request.principal.team, form.cleaned_data["role"]
    if user_id == request.user.id and not roles.may(role, Permission.PEOPLE) and not confirming.confirmed(request):
        members.check_other_owner(team=team, of=members.membership(team=team, user_id=user_id))
        return confirming.ask(request, _stepping_down(team.name, role))
    of = members.change_role(team=team, user_id=user_id, role=role, by=request.user)
    messages.success(request, f"{of.user} is {Role(of.role).label.lower()} now.")
    return redirect("team")


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: MemberRequest, user_id: UUID) -> HttpResponse:
    """Asks first; confirmed, they are out of the team."""
    request.principal.require(Permission.PEOPLE)
    team = request.principal.team
    if user_id == request.user.id:
        return redirect("leave-team")
    if not confirming.confirmed(request):
        return confirming.ask(request, _removing(members.membership(team=team, user_id=user_id)))
    of = members.remove(team=team, user_id=user_id, by=request.user)
    messages.success(request, f"{of.user} is no longer a member of {team.name}. Their API keys have stopped working.")
    return redirect("team")


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: MemberRequest) -> HttpResponse:
    """Asks first; confirmed, one leaves the team one acts in, for the next one of one's own, if any."""
    team = request.principal.team
    if not confirming.confirmed(request):
        of = members.membership(team=team, user_id=request.user.id)
        members.check_other_owner(team=team, of=of)
        return confirming.ask(request, _leaving(of))
    members.remove(team=team, user_id=request.user.id, by=request.user)
    request.session.pop(TEAM, None)
    messages.success(request, f"You have left {team.name}.")
    return redirect("profile")


def _stepping_down(team: str, role: Role) -> confirming.Question:
    return confirming.Question(
        title=f"Become {role.label.lower()} of {team}?",
        effects=[
            f"You are an owner of {team} and become {role.label.lower()}.",
            "You can no longer invite or remove people or change their roles, and your open invitations end.",
            "You can't undo this yourself: another owner has to make you an owner again.",
        ],
        button=f"Become {role.label.lower()}",
        back=reverse("team"),
        sent={"role": str(int(role))},
    )


def _removing(of: Membership) -> confirming.Question:
    return confirming.Question(
        title=f"Remove {of.user} from {of.team.name}?",
        effects=[
            f"{of.user} ({of.user.email}), {of.get_role_display().lower()}, can no longer open anything of {of.team.name}.",
            *_what_ends(of, "Their"),
            "What they recorded and the handoffs they own stay with the team.",
            "This can't be undone. You can invite them again, but their API keys stay revoked.",
        ],
        button=f"Remove {of.user}",
        back=reverse("team"),
    )


def _leaving(of: Membership) -> confirming.Question:
    return confirming.Question(
        title=f"Leave {of.team.name}?",
        effects=[
            f"You can no longer open anything of {of.team.name}.",
            *_what_ends(of, "Your"),
            "What you recorded and the handoffs you own stay with the team.",
            "You can't undo this yourself: an owner has to invite you again.",
        ],
        button=f"Leave {of.team.name}",
        back=reverse("team"),
    )


def _what_ends(of: Membership, whose: str) -> list[str]:
    """The keys and invitations that end with a membership. Two queries."""
    now = timezone.now()
    known = ApiKey.objects.filter(team=of.team_id, created_by=of.user_id).order_by("-created_at")
    names = [f"“{key.name}”" for key in known if key.is_live(now)]
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    ends = [f"{whose} API keys stop working at once: {', '.join([*names[:NAMED], *more])}."] if names else []
    if Invitation.objects.open(now).filter(team=of.team_id, invited_by=of.user_id).exists():
        ends.append(f"{whose} open invitations end.")
    return ends
