"""Inviting people to the team one acts in."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from continuity.accounts.roles import Permission
from continuity.models import Invitation, Role
from continuity.services.accounts import invitations, mail
from continuity.views import confirming
from continuity.views.access import MemberRequest, member_page


class InvitationForm(forms.Form):
    role = forms.TypedChoiceField(choices=Role.choices, coerce=lambda value: Role(int(value)), initial=Role.MEMBER)
    email = forms.EmailField(label="E-mail address", required=False)
    days = forms.TypedChoiceField(label="Works for", choices=[(1, "a day"), (7, "a week"), (30, "30 days")], coerce=int, initial=7)


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: MemberRequest) -> HttpResponse:
    """The form; sent, the page that shows the link, this once."""
    request.principal.require(Permission.PEOPLE)
    form = InvitationForm(request.POST or None)
    if not form.is_valid():
        return render(request, "people/invite.html", {"form": form}, status=422 if form.is_bound else 200)
    wanted: dict[str, Any] = form.cleaned_data
    made, token = invitations.create(team=request.principal.team, by=request.user, now=timezone.now(), **wanted)
    link = request.build_absolute_uri(reverse("join", args=[token]))
    mailed = bool(made.email) and mail.send_invitation(invitation=made, link=link)
    return render(request, "people/invited.html", {"invitation": made, "link": link, "mailed": mailed})


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: MemberRequest, invitation_id: UUID) -> HttpResponse:
    """Asks first; confirmed, the link works no more."""
    request.principal.require(Permission.PEOPLE)
    if not confirming.confirmed(request):
        found = invitations.get(team=request.principal.team, invitation_id=invitation_id, now=timezone.now())
        return confirming.ask(request, _question(found))
    invitations.revoke(team=request.principal.team, invitation_id=invitation_id, by=request.user, now=timezone.now())
    messages.success(request, "The invitation is revoked; its link works no more.")
    return redirect("team")


def _question(invitation: Invitation) -> confirming.Question:
    whom = invitation.email or "whoever has the link"
    return confirming.Question(
        title=f"Revoke the invitation for {whom}?",
        effects=[
            f"Its link, by which {whom} could join as {invitation.get_role_display().lower()}, stops working at once.",
            "This can't be undone. You can invite them again with a new link.",
        ],
        button="Revoke the invitation",
        back=reverse("team"),
    )
