"""To the provider of OpenID Connect, and back from it; not there unless it is set up."""

import logging

import requests
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from mozilla_django_oidc.views import OIDCAuthenticationCallbackView, OIDCAuthenticationRequestView

from continuity.core import actor
from continuity.core.errors import NotFound, TooMany
from continuity.models import User
from continuity.services.accounts import profiles, single_sign_on
from continuity.views.accounts.throttling import throttle_sign_in
from continuity.views.refusals import refusal

logger = logging.getLogger("continuity.web")


class ToProvider(OIDCAuthenticationRequestView):  # type: ignore[misc]
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not single_sign_on.is_on():
            return refusal(request, NotFound(noun="page"))
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        return answer


class FromProvider(OIDCAuthenticationCallbackView):  # type: ignore[misc]
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not single_sign_on.is_on():
            return refusal(request, NotFound(noun="page"))
        try:
            throttle_sign_in(request)
            answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        except TooMany as error:
            return refusal(request, error)
        except requests.RequestException as error:
            logger.warning("The sign-in provider did not answer", extra={"metadata": {"error": type(error).__name__}})
            return self.login_failure()
        return answer

    def login_success(self) -> HttpResponse:
        answer: HttpResponse = super().login_success()  # This gives the session a new key.
        if isinstance(self.user, User):
            actor.identify(name=self.user.email, user_id=self.user.id)
            profiles.signed_in(user=self.user)
        return answer

    def login_failure(self) -> HttpResponse:
        messages.error(self.request, "Signing in there did not work, or your address has no account here. Ask an owner to invite you.")
        return redirect("login")
