"""Changing who is in the team and as what."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from continuity.errors import Invalid
from continuity.models import Role
from continuity.roles import Permission
from continuity.services import members
from continuity.views.access import TEAM, MemberRequest, member_page


class RoleForm(forms.Form):
    role = forms.TypedChoiceField(choices=Role.choices, coerce=lambda value: Role(int(value)))


@member_page
@require_POST
def change_role(request: MemberRequest, user_id: UUID) -> HttpResponse:
    request.principal.require(Permission.PEOPLE)
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise Invalid("Choose one of the roles.", field="role")
    of = members.change_role(team=request.principal.team, user_id=user_id, role=form.cleaned_data["role"], by=request.user)
    messages.success(request, f"{of.user} is {Role(of.role).label.lower()} now.")
    return redirect("team")


@member_page
@require_POST
def remove(request: MemberRequest, user_id: UUID) -> HttpResponse:
    request.principal.require(Permission.PEOPLE)
    of = members.remove(team=request.principal.team, user_id=user_id, by=request.user)
    messages.success(request, f"{of.user} is no member of the team any more; their keys have ended.")
    return redirect("team")


@member_page
@require_POST
def leave(request: MemberRequest) -> HttpResponse:
    """Leaves the team one acts in, for the next one of one's own, if any."""
    members.remove(team=request.principal.team, user_id=request.user.id, by=request.user)
    request.session.pop(TEAM, None)
    messages.success(request, f"You have left {request.principal.team.name}.")
    return redirect("profile")
