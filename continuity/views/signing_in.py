"""Signing in with an e-mail address."""

from django import forms
from django.contrib.auth.forms import AuthenticationForm


class EmailLogin(AuthenticationForm):
    error_messages = {
        "invalid_login": "No account has this address and password. Mind upper and lower case in the password.",
        "inactive": "This account is switched off.",
    }
    username = forms.EmailField(label="E-mail address", widget=forms.EmailInput(attrs={"autofocus": True, "autocomplete": "username"}))
