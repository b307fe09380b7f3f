"""The team one acts in: who is in it and what they may do; choosing, founding and renaming one."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST

from continuity.accounts import roles
from continuity.accounts.roles import Permission
from continuity.core.errors import NotFound
from continuity.models import Invitation, Membership, Role, Team
from continuity.services.accounts import members
from continuity.views.access import TEAM, MemberRequest, member_page, person_page
from continuity.views.accounts.invitations import InvitationForm

SHOWN = 500


class TeamForm(forms.Form):
    name = forms.CharField(label="Name", max_length=120, widget=forms.TextInput({"autocomplete": "organization"}))


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest) -> HttpResponse:
    """The team's page. A POST acts in another of one's teams from now on, and leads to `next` where that is a page of ours;
    a team that one is not in is not found."""
    if request.method == "POST":
        team = Team.objects.filter(memberships__user=request.principal.user, slug=request.POST.get("team", "")[:50]).first()
        if team is None:
            raise NotFound(noun="team")
        request.session[TEAM] = team.slug
        leads = request.POST.get("next", "")
        return redirect(leads if url_has_allowed_host_and_scheme(leads, allowed_hosts=None) and leads.startswith("/") else "home")
    return render(request, "people/team.html", shown(request))


def shown(request: MemberRequest, **more: object) -> dict[str, object]:
    """What the team's page shows; `more` replaces parts of it. Four queries at most."""
    team, principal = request.principal.team, request.principal
    may_invite = principal.may(Permission.PEOPLE)
    people = Membership.objects.filter(team=team).select_related("user").order_by("-role", "user__name", "user__email")
    return {
        "people": people[:SHOWN],
        "roles": Role,
        "rules": [(rule, [(role.label, rule.holds_for(role)) for role in Role]) for rule in roles.TABLE],
        "may_invite": may_invite,
        "only_owner": members.is_only_owner(team=team, user_id=principal.user.id) if principal.user else False,
        "may_rename": principal.may(Permission.TEAM),
        "team_form": TeamForm({"name": team.name}),
        "invitation_form": InvitationForm(),
        "invitations": Invitation.objects.open(timezone.now()).filter(team=team).order_by("-created_at") if may_invite else [],
        **more,
    }


@person_page
@require_http_methods(["GET", "HEAD", "POST"])
def found(request: MemberRequest) -> HttpResponse:
    """The form; sent, one owns the new team and acts in it."""
    form = TeamForm(request.POST or None)
    if not form.is_valid():
        return render(request, "people/found.html", {"form": form}, status=422 if form.is_bound else 200)
    team = members.found(name=form.cleaned_data["name"], owner=request.user)
    request.session[TEAM] = team.slug
    return redirect("team")


@member_page
@require_POST
def rename(request: MemberRequest) -> HttpResponse:
    request.principal.require(Permission.TEAM)
    form = TeamForm(request.POST)
    if not form.is_valid():
        return render(request, "people/team.html", shown(request, team_form=form), status=422)
    members.rename(team=request.principal.team, name=form.cleaned_data["name"], by=request.user)
    return redirect("team")
