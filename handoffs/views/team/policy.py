"""When the team's sessions are handed off: thresholds, and what they would have done with those of the last week."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from continuity.core.errors import Invalid
from continuity.models import Conversation, Scope, Team
from continuity.views.access import MemberRequest, member_page
from handoffs.policy.lookback import look_back
from handoffs.policy.policy import Policy
from handoffs.services.packages import policies
from handoffs.services.packages.policies import Effective
from handoffs.services.packages.preparation import MAX_BUDGET, MIN_BUDGET
from handoffs.views.board import author

LATELY = timedelta(days=7)
LOOKED_AT = 500  # sessions, those with the latest activity
NAMED = 5  # of those that would have been handed off
BEFORE = {"fold_at": "Continuity reads ahead at", "approaching_at": "Warn at", "long_task_at": "Hand off a long task at"}
SHARES = ("approaching_at", "long_task_at", "fold_at", "handoff_at")


@dataclass(frozen=True, slots=True)
class FilledSession:
    """`fill` is the share of its window (0..1) that it filled; `active_at` when something was said in it last."""

    id: UUID
    title: str
    fill: float
    active_at: datetime


class ShareField(forms.IntegerField):
    """A share of the window in percent; `moved_to` is what it comes down to, where another value is lowered below it."""

    moved_to: int | None = None


def _share(label: str, says: str) -> ShareField:
    return ShareField(label=label, help_text=says, min_value=1, max_value=100)


class TeamPolicyForm(forms.Form):
    """Shares of the context window in percent. `moved` are those that come along, by what they are called, where “Hand off at” is lowered
    below them: they keep their distance as `saved`."""

    automatic = forms.BooleanField(label="Hand off automatically", required=False)
    review = forms.BooleanField(label="Every handoff is a draft until a person makes it ready", required=False)
    handoff_at = _share(
        "Hand off at (% of the window)",
        "A higher value gives the session more of its window, but less room for a long last answer. "
        "A lower value hands off sooner and more often, with room to spare. "
        "The three values below can’t be higher. One that would be comes down when saved, to as far below it as before; others stay.",
    )
    long_task_at = _share(
        "Hand off a long task at (%)",
        "Earlier than others, or at the same value, never later: a task with more than {steps} steps left needs more room.",
    )
    approaching_at = _share("Warn at (%)", "The session and the person in front of it see a warning, if few turns are left.")
    fold_at = _share(
        "Continuity reads ahead at (%)",
        "From this point Continuity reads what is said at once, so that a handoff is ready sooner.",
    )
    budget = forms.IntegerField(
        label="Budget of an automatic handoff (tokens)",
        min_value=MIN_BUDGET,
        max_value=MAX_BUDGET,
        help_text="A larger budget keeps more detail.",
    )

    def __init__(self, *given: Any, steps: int, saved: Mapping[str, int], **named: Any) -> None:
        super().__init__(*given, **named)
        self.saved = saved
        self.moved: dict[str, int] = {}
        self.fields["long_task_at"].help_text = str(self.fields["long_task_at"].help_text).format(steps=steps)

    def clean(self) -> dict[str, Any]:
        """Each step comes before the one that it leads to; one that nobody changed comes along."""
        given = super().clean() or {}
        ends = given.get("handoff_at")
        for name, what in BEFORE.items():
            share = given.get(name) or 0
            if ends is None or share <= ends:
                continue
            if share == self.saved[name]:
                given[name] = self.moved[what] = max(1, ends - max(0, self.saved["handoff_at"] - share))
                if isinstance(field := self.fields[name], ShareField):
                    field.moved_to = given[name]
            else:
                told = f"“{what}” ({share}%) must not be above “Hand off at” ({ends}%): lower it, or raise “Hand off at”."
                self.add_error(name, told)
        return given


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest) -> HttpResponse:
    """The form; under htmx, or where it is sent to `look`, what its values would have done; sent, it sets them for the whole team, or takes
    this browser's last change back. Four queries."""
    team = request.principal.team
    effective = policies.effective(team=team)
    saves = request.method == "POST" and "look" not in request.POST
    if saves:
        request.principal.require(Scope.ADMIN)
    given: Mapping[str, Any] | None = request.POST if request.method == "POST" else request.GET if request.GET else None
    steps = effective.policy.long_task_steps
    saved = _values(effective)
    # Only while nobody else changed anything since.
    last = request.session.get(_key(team), {})
    back = last["before"] if last.get("set") == saved else None
    if saves and "back" in request.POST:
        given = back or {}
    form = TeamPolicyForm(given, steps=steps, saved=saved, initial=None if given is not None else saved)
    shown: dict[str, Any] = {"form": form, "may_change": Scope.ADMIN in request.principal.scopes, "licensed": effective.policy.licensed}
    shown |= {"shares": SHARES, "unsaved": form.is_bound and form.is_valid() and _differs(form, saved)}
    shown["back"] = back if back and any(back.get(name) != saved[name] for name in SHARES) else None
    policy = effective.policy
    if form.is_bound and form.is_valid():
        try:
            policy = _policy(effective.policy, form.cleaned_data)
            if saves:
                now_held = policies.change(team=team, conversation=None, changes=_changes(form.cleaned_data), author=author(request))
                _remember(request, saved, _values(now_held), form)
                return redirect("policy")
        except (Invalid, ValueError) as error:
            form.add_error(None, error.detail if isinstance(error, Invalid) else f"{error}.".replace("_", " "))
    recent = _recent(team)
    past, before = (look_back([each.fill for each in recent], each) for each in (policy, effective.policy))
    reached = [each for each in recent if each.fill >= policy.handoff_at]
    shown["fullest"] = recent[0].fill if recent else None
    shown |= {"past": past, "policy": policy, "saved": effective.policy, "before": before, "reached": reached[:NAMED]}
    titles = [each.title for each in shown["reached"]]
    shown["same_titles"] = {title for title in titles if titles.count(title) > 1}
    status = 422 if request.method == "POST" and form.errors else 200
    return render(request, "people/policy.html#preview" if request.htmx else "people/policy.html", shown, status=status)


def _key(team: Team) -> str:
    """Where a browser's session keeps the values that its last change replaced, and those that it set."""
    return f"policy before {team.id}"


def _values(effective: Effective) -> dict[str, Any]:
    shares = {name: round(getattr(effective.policy, name) * 100) for name in SHARES}
    return {**shares, "automatic": effective.policy.automatic, "review": effective.review, "budget": effective.budget}


def _differs(form: TeamPolicyForm, saved: dict[str, Any]) -> bool:
    return any(form.cleaned_data[name] != value for name, value in saved.items())


def _changes(values: dict[str, Any]) -> dict[str, Any]:
    return {**values, **_shares(values)}


def _remember(request: MemberRequest, before: dict[str, Any], now: dict[str, Any], form: TeamPolicyForm) -> None:
    """Says what holds now, and keeps what held before for one click back; of a step back nothing is kept."""
    key = _key(request.principal.team)
    if "back" in request.POST:
        request.session.pop(key, None)
        messages.success(request, f"Taken back: sessions are handed off at {now['handoff_at']}% again, and all other values are as before.")
        return
    as_sent = {name: value for name, value in before.items() if value is not False}  # by a form
    request.session[key] = {"before": as_sent, "set": now}
    along = "".join(f" “{what}” is {share}% now." for what, share in form.moved.items())
    held = f"Saved: sessions are handed off at {now['handoff_at']}%. It holds for every session of the team that has no policy of its own."
    messages.success(request, f"{held}{along}")


def _shares(values: dict[str, Any]) -> dict[str, Any]:
    """A finished task may advance the act from where all is made ready on, and not later than the act itself."""
    shares = {name: values[name] / 100 for name in SHARES}
    return {**shares, "boundary_at": min(shares["fold_at"], shares["handoff_at"])}


def _policy(policy: Policy, values: dict[str, Any]) -> Policy:
    """Raises ValueError where the thresholds are out of order."""
    return replace(policy, automatic=values["automatic"], **_shares(values))


def _recent(team: Team) -> Sequence[FilledSession]:
    """The sessions of the last week with a known window, the fullest first. One query."""
    recent = Conversation.objects.visible_to(team).filter(active_at__gt=timezone.now() - LATELY, max_context_tokens__isnull=False)
    rows = recent.order_by("-active_at", "-id").values_list("id", "title", "active_at", "context_tokens", "max_context_tokens")[:LOOKED_AT]
    found = (FilledSession(id, title, min(1.0, used / most), active_at) for id, title, active_at, used, most in rows if most)
    return sorted(found, key=lambda each: -each.fill)
