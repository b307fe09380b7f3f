"""How far packs are rolled out in the team."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from continuity.models import Scope
from continuity.views.access import MemberRequest, member_page
from handoffs.models import PackMode
from handoffs.services.packs import pack_policies
from handoffs.views.board import author

MODES = {
    PackMode.OFF: ("Off", "Nothing is read on anybody’s machine."),
    PackMode.PASSIVE: ("Passive", "Packs are made and measured; sessions are given nothing."),
    PackMode.SNAPSHOT: ("Snapshot", "Sessions are given packs, and secured when their pressure rises: folded, captured, a draft package."),
    PackMode.REHYDRATE: ("Rehydrate", "The same; and under high pressure a handoff is prepared that the next session resumes."),
}


class PackPolicyForm(forms.Form):
    mode = forms.ChoiceField(choices=PackMode.choices)
    contents = forms.BooleanField(required=False)
    boundaries = forms.CharField(required=False, max_length=10_000)


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest) -> HttpResponse:
    """The policy, and the form to change it."""
    team = request.principal.team
    if request.method == "POST":
        request.principal.require(Scope.ADMIN)
        form = PackPolicyForm(request.POST)
        if form.is_valid():
            given = form.cleaned_data
            globs = [line.strip() for line in given["boundaries"].splitlines() if line.strip()]
            changes = {"mode": given["mode"], "contents": given["contents"], "boundaries": globs}
            pack_policies.change(team=team, changes=changes, author=author(request))
            messages.success(request, "The policy for packs was changed.")
        else:
            messages.error(request, "Choose one of the four modes.")
        return redirect("pack-policy")
    row = pack_policies.effective(team)
    shown = {
        "policy": row,
        "modes": [{"value": mode.value, "label": label, "means": means} for mode, (label, means) in MODES.items()],
        "works": pack_policies.mode_of(team, row) == row.mode,
        "boundaries": "\n".join(row.boundaries),
        "may_change": Scope.ADMIN in request.principal.scopes,
    }
    return render(request, "packs/policy.html", shown)
