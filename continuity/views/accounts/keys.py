"""The API keys of the team one acts in."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from continuity.accounts import roles
from continuity.accounts.roles import Permission
from continuity.core.errors import Conflict, NotFound
from continuity.models import ApiKey, Scope
from continuity.models.accounts.apikeys import ApiKeyQuerySet
from continuity.services.accounts import apikeys
from continuity.templatetags.figures import spoken
from continuity.views import confirming
from continuity.views.access import MemberRequest, member_page
from continuity.views.cursors import newest_first

PAGE_SIZE = 50
NEVER = 0


class KeyForm(forms.Form):
    once = forms.UUIDField(required=False, widget=forms.HiddenInput, initial=uuid4)  # the key's id: a form sent again makes no second one
    name = forms.CharField(max_length=120, help_text="What it is for, such as “laptop” or “build server”.")
    scopes = forms.MultipleChoiceField(label="May", widget=forms.CheckboxSelectMultiple)
    days = forms.TypedChoiceField(
        label="Works for",
        coerce=int,
        initial=90,
        choices=[(30, "30 days"), (90, "90 days"), (365, "a year"), (NEVER, "until it is revoked")],
    )

    def __init__(self, *args: Any, allowed: list[Scope], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice: Any = self.fields["scopes"]
        choice.choices = [(scope.value, scope.label) for scope in allowed]
        choice.initial = [scope.value for scope in allowed if scope is not Scope.ADMIN]


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """The keys that one may see, the newest first."""
    request.principal.require(Permission.KEYS)
    keys = _visible(request).select_related("created_by")
    page = newest_first(keys, by="created_at", after=request.GET.get("after", ""), size=PAGE_SIZE)
    rows = [(key, key.is_live(timezone.now())) for key in page.rows]
    shown = {"page": page, "rows": rows, "all": request.principal.may(Permission.AUDIT), "paged": "after" in request.GET}
    return render(request, "people/keys.html", shown)


def _visible(request: MemberRequest) -> ApiKeyQuerySet:
    """One's own keys; of operators and owners all of the team's."""
    keys = ApiKey.objects.visible_to(request.principal.team)
    return keys if request.principal.may(Permission.AUDIT) else keys.filter(created_by=request.user)


@member_page
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: MemberRequest) -> HttpResponse:
    """The form; sent, the page that shows the key, this once."""
    request.principal.require(Permission.KEYS)
    principal = request.principal
    form = KeyForm(request.POST or None, allowed=roles.scopes(principal.role or 0))
    if not form.is_valid():
        return render(request, "people/new_key.html", {"form": form}, status=422 if form.is_bound else 200)
    days = form.cleaned_data["days"]
    try:
        key, full = apikeys.issue(
            team=principal.team,
            name=form.cleaned_data["name"],
            scopes=form.cleaned_data["scopes"],
            expires_at=timezone.now() + timedelta(days=days) if days != NEVER else None,
            created_by=request.user,
            key_id=form.cleaned_data["once"],
        )
    except Conflict:
        messages.info(request, "The key is made; it was shown that once. Revoke it and make another where its text is lost.")
        return redirect("keys")
    return render(request, "people/key.html", {"key": key, "full": full})


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: MemberRequest, key_id: UUID) -> HttpResponse:
    """Asks first; confirmed, it ends the key."""
    request.principal.require(Permission.KEYS)
    key = _visible(request).select_related("team", "created_by").filter(id=key_id).first()
    if key is None:
        raise NotFound(noun="key")
    if not confirming.confirmed(request):
        return confirming.ask(request, _question(key, timezone.now()))
    apikeys.revoke(key=key)
    messages.success(request, "Key revoked.")
    return redirect("keys")


def _question(key: ApiKey, now: datetime) -> confirming.Question:
    used = f"It was last used {spoken(key.last_used_at, now)}." if key.last_used_at else "It was never used."
    return confirming.Question(
        title=f"Revoke the key “{key.name}”?",
        effects=[
            f"The key {key.kind}_{key.lookup}_…, created by {key.created_by or 'the installation'}, stops working at once. {used}",
            "Every agent, hook and command line that uses it is refused (401) until it has another key.",
            "This can't be undone. You can create a new key at any time.",
        ],
        button="Revoke the key",
        back=reverse("keys"),
    )
