"""Sets up a new installation: the first team with its owner and key."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from continuity.models import Team, User
from continuity.services.accounts import accounts, apikeys

FIRST_TEAM = "first"
DEMO_SESSION = Path(__file__).resolve().parents[2] / "demo" / "session.jsonl"


@dataclass(frozen=True, slots=True)
class First:
    """The first team, and what is shown of it once; `password` is empty where the owner knows it already."""

    team: Team
    owner: User
    password: str
    api_key: str


def found(*, name: str, email: str, password: str = "") -> First | None:
    """The first team, its owner, who may use the admin, and a key for everything; None where there is a first team already.

    Without `password` one is made up. Someone who has an account with this address keeps it and its password. Raises
    Invalid on a bad address or a weak password. The caller's transaction.
    """
    if Team.objects.filter(slug=FIRST_TEAM).exists():
        return None
    owner, shown = User.objects.filter(email=email.lower()).first(), ""
    if owner is None:
        shown = "" if password else secrets.token_urlsafe(15)
        owner = accounts.create_user(email=email, password=password or shown, name="Owner", is_admin=True)
    team = accounts.found_team(slug=FIRST_TEAM, name=name, owner=owner).team
    _, full = apikeys.issue(team=team, name="First key", created_by=owner)
    return First(team, owner, shown, full)
