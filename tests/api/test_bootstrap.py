"""What a new installation starts with."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from continuity.models import Conversation, Job, Membership, Role, Team, User
from continuity.services.accounts.bootstrap import FIRST_TEAM
from continuity.services.jobs import jobs
from tests.api.caller import Caller

pytestmark = pytest.mark.django_db


def bootstrap() -> str:
    """With one theme of the demo; tests/demo loads all of it."""
    shown = StringIO()
    call_command("bootstrap", only=["gateway-retries"], stdout=shown)
    return shown.getvalue()


def value_of(label: str, shown: str) -> str:
    return next(line.split(label)[1].strip() for line in shown.splitlines() if label in line)


def test_it_works(settings: Settings) -> None:
    settings.CONTINUITY_OWNER_EMAIL, settings.CONTINUITY_OWNER_PASSWORD = "mira@example.com", ""
    settings.CONTINUITY_TEAM_NAME = "Tide crew"
    shown = bootstrap()
    assert Team.objects.get().name == "Tide crew"
    membership = Membership.objects.get()
    assert (membership.role, membership.user.email) == (Role.OWNER, "mira@example.com")
    browser = Client()
    signed_in = browser.post("/login", {"username": value_of("E-mail", shown), "password": value_of("Password", shown)})
    assert signed_in.status_code == 302
    assert browser.get("/admin/").status_code == 200
    assert Caller(value_of("API key", shown)).get("/conversations").json()["items"] == []


def test_the_demo_is_a_team_beside_it_and_ones_own_is_seen_first(settings: Settings) -> None:
    settings.CONTINUITY_DEMO = True
    shown = bootstrap()
    jobs.run(job_id=Job.objects.get().id)
    assert set(Team.objects.values_list("slug", "demo")) == {(FIRST_TEAM, False), ("demo", True)}
    browser = Client()
    browser.force_login(User.objects.get(email=value_of("E-mail", shown)))
    home = browser.get("/").content.decode()
    assert "First steps" in home
    assert "Look at the demo" in home
    assert "Remove the demo" not in home
    assert Caller(value_of("API key", shown)).get("/conversations").json()["items"] == []


def test_the_demo_is_not_waited_for(settings: Settings) -> None:
    settings.CONTINUITY_DEMO = True
    shown = bootstrap()
    assert list(Team.objects.values_list("slug", flat=True)) == [FIRST_TEAM]
    browser = Client()
    browser.force_login(User.objects.get(email=value_of("E-mail", shown)))
    assert "Or look around first" in browser.get("/").content.decode()
    job = Job.objects.get()
    jobs.run(job_id=job.id)
    # Who looked on is not moved to the demo, and is told that it is there.
    assert "Look at the demo" in browser.get(f"/jobs/{job.id}").content.decode()
    assert "Look at the demo" in browser.get("/").content.decode()
    assert bootstrap() == ""
    assert Job.objects.get(kind="demo") == job


def test_a_second_time_nothing_happens_and_nothing_is_shown() -> None:
    bootstrap()
    Conversation.objects.all().delete()
    assert bootstrap() == ""
    assert (Team.objects.count(), User.objects.count(), Conversation.objects.count()) == (1, 1, 0)


def test_a_chosen_password_is_used_and_not_shown(settings: Settings) -> None:
    settings.CONTINUITY_OWNER_PASSWORD = "slack water at noon"
    assert "slack water" not in bootstrap()
    assert User.objects.get().check_password("slack water at noon")


def test_a_weak_password_is_refused_and_leaves_nothing(settings: Settings) -> None:
    settings.CONTINUITY_OWNER_PASSWORD = "short"
    with pytest.raises(CommandError, match="too short"):
        bootstrap()
    assert (Team.objects.count(), User.objects.count()) == (0, 0)


def test_someone_with_an_account_becomes_the_owner_and_keeps_the_password(settings: Settings) -> None:
    settings.CONTINUITY_OWNER_EMAIL = "Mira@example.com"
    User.objects.create_superuser("mira@example.com", "slack water at noon")
    assert "(the one that you chose)" in bootstrap()
    assert User.objects.get().check_password("slack water at noon")
    assert Team.objects.get().slug == FIRST_TEAM
