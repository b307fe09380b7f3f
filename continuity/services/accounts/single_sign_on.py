"""Signing in by OpenID Connect: who the provider says somebody is, and which account that is.

Beyond what mozilla-django-oidc checks (state, nonce, PKCE, signature): audience, issuer and times of the token, that the user's claims
are of the token's subject, and that the provider has verified the address. Source: OpenID Connect Core 1.0, 3.1.3.7 and 5.3.2.
"""

from typing import Any

import jwt
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import transaction
from mozilla_django_oidc.auth import OIDCAuthenticationBackend

from continuity.models import Role, Team, User
from continuity.services.accounts import accounts

LONGEST_NAME = 120
REQUIRED = ["aud", "exp", "iat", "iss", "sub"]


def is_on() -> bool:
    return bool(settings.OIDC_RP_CLIENT_ID)


class SingleSignOn(OIDCAuthenticationBackend):  # type: ignore[misc]
    """Finds the account with the verified address; makes one only where newcomers have a team to go to."""

    def verify_claims(self, claims: dict[str, Any]) -> bool:
        return bool(claims.get("email")) and claims.get("email_verified") is True

    def get_payload_data(self, token: str, key: Any) -> dict[str, Any]:
        """The claims of a token that is for us, from our provider, and not over. Raises SuspiciousOperation."""
        try:
            return jwt.decode(
                token,
                key,
                algorithms=[settings.OIDC_RP_SIGN_ALGO],
                audience=settings.OIDC_RP_CLIENT_ID,
                issuer=settings.CONTINUITY_OIDC_ISSUER,
                leeway=60,
                options={"require": REQUIRED},
            )
        except jwt.PyJWTError as error:
            raise SuspiciousOperation(f"The provider's token is refused: {error}") from error

    def get_userinfo(self, access_token: str, id_token: str, payload: dict[str, Any]) -> dict[str, Any]:
        claims: dict[str, Any] = super().get_userinfo(access_token, id_token, payload)
        if claims.get("sub") != payload["sub"]:
            raise SuspiciousOperation("The provider's claims are of somebody else than its token.")
        return claims

    @transaction.atomic
    def create_user(self, claims: dict[str, Any]) -> User | None:
        """A member of the team of newcomers, with no password; None where there is no such team, so that nobody comes in by themselves."""
        team = Team.objects.filter(slug=settings.CONTINUITY_OIDC_TEAM).first() if settings.CONTINUITY_OIDC_TEAM else None
        if team is None:
            return None
        user = User.objects.create_user(str(claims["email"]), name=str(claims.get("name") or "")[:LONGEST_NAME])
        accounts.add_member(team=team, user=user, role=Role.MEMBER)
        return user
