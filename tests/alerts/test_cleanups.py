"""The alert that an invalidated conversation could not be cleaned up (FR-004a): critical, once while it is open, over when it is done."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from continuity.models import Cleanup, Conversation, Team, User
from continuity.services.erasure import cleanups
from continuity.services.jobs import jobs
from continuity.services.recording import conversations, imports
from diagnostics.models import Alert
from diagnostics.services import shown_alerts
from handoffs.services.erasure import erasing
from tests.alerts import incidents

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def blocked(team: Team, settings: Any, tmp_path: Path) -> Cleanup:
    """An invalidated conversation with an upload that can't be removed: a folder is in its place."""
    settings.MEDIA_ROOT = tmp_path
    conversation = conversations.create(team=team, title="Harbour")
    jobs.submit(team=team, kind=imports.KIND, arguments={"file": "waiting"}, conversation=conversation)
    (tmp_path / "waiting" / "inside").mkdir(parents=True)
    conversations.invalidate(team=team, conversation_id=conversation.id)
    return Cleanup.objects.get(conversation=conversation)


def fail(cleanup: Cleanup, times: int) -> None:
    for _ in range(times):
        assert cleanups.hurry(chosen=Cleanup.objects.all(), now=timezone.now()) == 1
    cleanup.refresh_from_db()


def unblock(folder: Path) -> None:
    (folder / "waiting" / "inside").rmdir()
    (folder / "waiting").rmdir()


def test_it_works(team: Team, owner: User, blocked: Cleanup, settings: Any, tmp_path: Path) -> None:
    with incidents.pretended() as there:
        settings.ALERT_PAGERDUTY_KEY, settings.ALERT_PAGERDUTY_URL = "key", there.url
        fail(blocked, 9)
        assert not Alert.objects.exists()
        fail(blocked, 3)
        alert = Alert.objects.get()
        assert (alert.rule, alert.severity, alert.message) == ("cleanup_failed", "critical", "10 attempts")
        assert alert.conversation_id == blocked.conversation_id
        assert [shown.about for shown in shown_alerts.of_team(team, owner)[0]] == ["Harbour"]
        incidents.until_told()
        (told,) = there.open.values()
        assert (told["severity"], told["class"]) == ("critical", "cleanup_failed")
        unblock(tmp_path)
        cleanups.sweep_pending(now=timezone.now() + timedelta(hours=2))
        assert not Alert.objects.open().exists()
        incidents.until_told()
        assert not there.open


def test_it_is_over_with_its_conversation_and_not_with_words_of_it(team: Team, owner: User, blocked: Cleanup) -> None:
    fail(blocked, 10)
    by = erasing.By("owner", owner)
    erasing.erase_words(team=team, conversation_id=blocked.conversation_id, words="Harbour", by=by)
    assert Alert.objects.open().count() == 1
    erasing.erase_conversation(team=team, conversation_id=blocked.conversation_id, by=by)
    assert not Conversation.objects.filter(id=blocked.conversation_id).exists()
    assert not Alert.objects.open().exists()
