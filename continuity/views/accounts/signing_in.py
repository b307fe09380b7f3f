"""Signing in with an e-mail address, and getting in again after losing the password."""

from typing import TYPE_CHECKING, Any, TypeAlias

from axes.utils import reset as unlock
from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.views import LoginView, PasswordResetConfirmView, PasswordResetView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.http import urlencode

from continuity.core import actor
from continuity.core.errors import NotYours, TooMany
from continuity.models import User
from continuity.services.accounts import profiles, single_sign_on
from continuity.views.accounts.throttling import throttle_reset, throttle_sign_in
from continuity.views.refusals import refusal

if TYPE_CHECKING:
    PasswordForm: TypeAlias = SetPasswordForm[User]
else:
    PasswordForm = SetPasswordForm


class EmailLogin(AuthenticationForm):
    error_messages = {
        "invalid_login": "No account has this address and password. Mind upper and lower case in the password.",
        "inactive": "This account is switched off.",
    }
    username = forms.EmailField(label="E-mail address", widget=forms.EmailInput(attrs={"autofocus": True, "autocomplete": "username"}))


class Login(LoginView):
    template_name = "login.html"
    authentication_form = EmailLogin
    redirect_authenticated_user = True

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        return {**super().get_context_data(**more), "provider": settings.CONTINUITY_OIDC_NAME if single_sign_on.is_on() else ""}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            throttle_sign_in(request)
        except TooMany as error:
            return refusal(request, error)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        answer = super().form_valid(form)  # This gives the session a new key.
        user = form.get_user()
        if isinstance(user, User):
            actor.identify(name=user.email, user_id=user.id)
            profiles.signed_in(user=user)
        return answer


def admin_login(request: HttpRequest) -> HttpResponse:
    """The admin has no login of its own: one page has the lock-out, the limits and the audit entry."""
    if request.user.is_authenticated:
        return refusal(request, NotYours(who="operators of this installation"))
    query = urlencode({"next": request.GET.get("next") or reverse("admin:index")})
    return redirect(f"{reverse('login')}?{query}")


def locked_out(request: HttpRequest, *_: Any) -> HttpResponse:
    """The answer instead of a login while too many wrong passwords were given for an account from an address."""
    wait = settings.AXES_COOLOFF_TIME
    minutes = max(1, int(wait.total_seconds() // 60))
    answer = render(request, "locked.html", {"minutes": minutes}, status=429)
    answer["Retry-After"] = str(int(wait.total_seconds()))
    return answer


def name_to_lock(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """The account that a login is for, however its address is written: `A@x` and `a@x` are one account."""
    given = (credentials or {}).get("username") or (credentials or {}).get("email") or request.POST.get("username", "")
    return str(given).strip().lower()[:255]


class Forgotten(PasswordResetForm):
    email = forms.EmailField(label="E-mail", max_length=254, widget=forms.EmailInput({"autocomplete": "email"}))


class Reset(PasswordResetView):
    form_class = Forgotten
    template_name = "password/reset.html"
    email_template_name = "password/mail.txt"
    subject_template_name = "password/subject.txt"
    success_url = reverse_lazy("password-reset-sent")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            throttle_reset(request)
        except TooMany as error:
            return refusal(request, error)
        return super().post(request, *args, **kwargs)


class NewPassword(PasswordForm):
    def save(self, commit: bool = True) -> User:
        actor.identify(name=self.user.email, user_id=self.user.id)
        profiles.set_password(user=self.user, password=self.cleaned_data["new_password1"], reset=True)
        unlock(username=self.user.email)
        return self.user


class ResetConfirm(PasswordResetConfirmView):
    template_name = "password/new.html"
    form_class = NewPassword
    success_url = reverse_lazy("password-reset-done")
