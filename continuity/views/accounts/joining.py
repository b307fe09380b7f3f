"""Following an invitation's link: with an account, or to make one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import login, password_validation
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from continuity.core.errors import Conflict
from continuity.models import Invitation, Role, User
from continuity.services.accounts import invitations
from continuity.views.access import TEAM, open_page
from continuity.views.accounts.throttling import throttle_sign_in

BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignUpForm(forms.Form):
    name = forms.CharField(label="Your name", max_length=120, widget=forms.TextInput({"autocomplete": "name"}))
    email = forms.EmailField(label="E-mail address", widget=forms.EmailInput({"autocomplete": "username"}))
    password = forms.CharField(
        label="Password",
        strip=False,
        max_length=1000,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text="At least 10 characters.",
    )

    def __init__(self, *args: Any, address: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if address:
            self.fields["email"].disabled, self.fields["email"].initial = True, address

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if "password" in cleaned and "email" in cleaned:
            someone = User(email=cleaned["email"].lower(), name=cleaned.get("name", ""))
            try:
                password_validation.validate_password(cleaned["password"], someone)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned


@open_page
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, token: str) -> HttpResponse:
    """Asks whether to join, or for an account to join with; sent, one is in."""
    throttle_sign_in(request)
    invitation = invitations.find(token=token, now=timezone.now())
    if isinstance(request.user, User):
        return _join(request, token, invitation, request.user)
    form = SignUpForm(request.POST or None, address=invitation.email)
    if form.is_valid():
        try:
            joined, user = invitations.sign_up(token=token, now=timezone.now(), **form.cleaned_data)
        except Conflict as error:
            form.add_error("email", f"{error.detail} Sign in with it to join.")
        else:
            login(request, user, backend=BACKEND)
            return _arrived(request, joined)
    return render(request, "people/join.html", _shown(invitation, form), status=422 if form.is_bound else 200)


def _join(request: HttpRequest, token: str, invitation: Invitation, user: User) -> HttpResponse:
    if request.method != "POST":
        return render(request, "people/join.html", _shown(invitation, None))
    return _arrived(request, invitations.accept(token=token, user=user, now=timezone.now()))


def _arrived(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    request.session[TEAM] = invitation.team.slug
    messages.success(request, f"Welcome to {invitation.team.name}.")
    return redirect("home")


def _shown(invitation: Invitation, form: SignUpForm | None) -> dict[str, Any]:
    return {"invitation": invitation, "role": Role(invitation.role).label, "form": form}
