"""The profile page: name, time zone, password."""

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.forms.utils import flatatt
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from continuity.models import Membership
from continuity.services.accounts import profiles
from continuity.views.access import MemberRequest, person_page

ZONES = [
    "UTC",
    *sorted(name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "posix/", "right/", "SystemV/"))),
]


class LongSelect(forms.Select):
    """A choice among hundreds, written at once: a template for each of them would take longer than the rest of the page."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen = mark_safe(" selected")
        known = ((key, chosen if key == value else "", label) for key, label in self.choices)
        options = format_html_join("", '<option value="{}"{}>{}</option>', known)
        return format_html("<select{}>{}</select>", flatatt(self.build_attrs({"name": name, **self.attrs}, attrs)), options)


class ProfileForm(forms.Form):
    name = forms.CharField(label="Name", max_length=120, required=False, widget=forms.TextInput({"autocomplete": "name"}))
    time_zone = forms.ChoiceField(
        label="Time zone",
        choices=[(name, name.replace("_", " ")) for name in ZONES],
        widget=LongSelect,
        help_text="In which times are shown.",
    )


@person_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest) -> HttpResponse:
    """The form, and the teams that one is in."""
    user = request.user
    form = ProfileForm(request.POST or None, initial={"name": user.name, "time_zone": user.time_zone})
    if form.is_valid():
        profiles.change(user=user, **form.cleaned_data)
        messages.success(request, "Saved.")
        return redirect("profile")
    own = Membership.objects.filter(user=user).select_related("team").order_by("team__name")[:100]
    return render(request, "people/profile.html", {"form": form, "memberships": own}, status=422 if form.is_bound else 200)


@person_page
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: MemberRequest) -> HttpResponse:
    """The form; sent, every other session of the person ends."""
    form = PasswordChangeForm(request.user, request.POST or None)
    if not form.is_valid():
        return render(request, "people/password.html", {"form": form}, status=422 if form.is_bound else 200)
    profiles.set_password(user=request.user, password=form.cleaned_data["new_password1"])
    update_session_auth_hash(request, request.user)
    messages.success(request, "The password is changed; other devices have to sign in again.")
    return redirect("profile")
