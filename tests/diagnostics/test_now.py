"""SC-026: a page of what is so now, which renews itself every five seconds."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from continuity.models import Team, User
from continuity.services.subscriptions import meters
from diagnostics.services.figures import uptimes
from tests.agents.runner import Runner
from tests.web.world import browser

pytestmark = pytest.mark.django_db


def test_it_works(team: Team, owner: User) -> None:
    runner = Runner(team)
    runner.start("a", "b")
    runner.beat("a", used={"cpu_cores": 0.5, "memory_bytes": 2_000_000, "disk_bytes_per_second": 0})
    assert runner.post("a", "conversation").status_code == 201
    now = timezone.now()
    meters.answered(requests=300, errors=3, now=now)
    meters.took(meters.RESTORE, 42.0, now=now)
    uptimes.note(ready=True, now=now)
    page = browser(owner).get(reverse("now"))
    text = re.sub(r"<[^>]+>|\s+", " ", page.content.decode())
    for figure in ("1 of 100", "0.50", "Restoring a conversation", "p95", f"{now:%B %Y}"):
        assert figure in text, figure
    assert 'hx-trigger="live, every 5s"' in page.content.decode()


def test_under_htmx_only_the_figures_come_and_they_are_of_now(team: Team, owner: User) -> None:
    looking = browser(owner)
    asked = {"HX-Request": "true"}
    before = looking.get(reverse("now"), headers=asked).content.decode()
    assert "<html" not in before
    assert "0 of 100" in before
    runner = Runner(team)
    runner.start("a")
    runner.post("a", "conversation")
    assert "1 of 100" in looking.get(reverse("now"), headers=asked).content.decode()
