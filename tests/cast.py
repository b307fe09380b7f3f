"""The people of the tests: an owner and a teammate in one team, an outsider in another.."""

from __future__ import annotations

import pytest

from continuity.models import Role, Team, Tier, User
from continuity.services.accounts import accounts
from continuity.services.jobs import broker

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def broker_is_trusted() -> None:
    """No test begins within the seconds in which nobody tries the broker, because an earlier one was about its being away."""
    broker._breaker.close()


def person(name: str) -> User:
    return accounts.create_user(email=f"{name}@example.com", password=PASSWORD, name=name.title())


@pytest.fixture
def owner(db: None) -> User:
    return person("owner")


def ours(owner: User) -> Team:
    return accounts.found_team(slug="ours", name="Ours", owner=owner).team


@pytest.fixture
def team(owner: User) -> Team:
    return ours(owner)


@pytest.fixture
def teammate(team: Team) -> User:
    user = person("teammate")
    accounts.add_member(team=team, user=user, role=Role.MEMBER)
    return user


@pytest.fixture
def outsider(db: None) -> User:
    return person("outsider")


@pytest.fixture
def other_team(outsider: User) -> Team:
    return accounts.found_team(slug="theirs", name="Theirs", owner=outsider, tier=Tier.ENTERPRISE).team
