"""Signing in by OpenID Connect, off unless a client's id is given."""

from __future__ import annotations

from typing import NamedTuple

from config.env import BadSetting, Environment

ALGORITHMS = ("RS256", "RS384", "RS512", "ES256", "ES384", "ES512")
BACKEND = "continuity.services.accounts.single_sign_on.SingleSignOn"


class ProviderSettings(NamedTuple):
    """`client`: its id, its secret, and how tokens are signed; `addresses`: where one signs in, for tokens, for a person's data, and for
    keys; `whose`: the issuer, its name for people, and the team that newcomers join; `backends` of Django."""

    client: tuple[str, str, str]
    addresses: tuple[str, str, str, str]
    whose: tuple[str, str, str]
    backends: list[str]


def read(env: Environment) -> ProviderSettings:
    """Raises BadSetting where something is missing that a client's id needs."""
    client = env.text("CONTINUITY_OIDC_CLIENT_ID")
    secret = env.secret("CONTINUITY_OIDC_CLIENT_SECRET")
    algorithm = env.text("CONTINUITY_OIDC_ALGORITHM", ALGORITHMS[0])
    addresses = (
        env.text("CONTINUITY_OIDC_AUTHORIZATION_URL"),
        env.text("CONTINUITY_OIDC_TOKEN_URL"),
        env.text("CONTINUITY_OIDC_USERINFO_URL"),
        env.text("CONTINUITY_OIDC_KEYS_URL"),
    )
    issuer = env.text("CONTINUITY_OIDC_ISSUER")
    if client:
        names = ("CLIENT_SECRET", "ISSUER", "AUTHORIZATION_URL", "TOKEN_URL", "USERINFO_URL", "KEYS_URL")
        for name, given in zip(names, (secret, issuer, *addresses), strict=True):
            if not given:
                raise BadSetting(f"CONTINUITY_OIDC_{name}: required when CONTINUITY_OIDC_CLIENT_ID is set")
        if algorithm not in ALGORITHMS:
            raise BadSetting(f"CONTINUITY_OIDC_ALGORITHM: must be one of {', '.join(ALGORITHMS)}")
    whose = (issuer, env.text("CONTINUITY_OIDC_NAME", "your organisation"), env.text("CONTINUITY_OIDC_TEAM"))
    return ProviderSettings((client, secret, algorithm), addresses, whose, [BACKEND] if client else [])
