"""The demo as a team's fortnight: who is in it, what they did, and when."""

from collections import Counter
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from continuity.core.errors import Conflict
from continuity.knowledge.model import TaskStatus
from continuity.models import Conversation, ConversationStatus, Event, Message, Task, Team, User
from continuity.services.recording import expiry
from diagnostics.models import Attempt, AuditReport, Series
from diagnostics.services import demo, measurements
from handoffs.models import Handoff, HandoffChain, HandoffStatus, Receipt, Resumption

pytestmark = pytest.mark.django_db


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def loaded(owner: User, now: datetime) -> Team:
    return demo.load(owner=owner, now=now)


def test_it_works(loaded: Team, owner: User, now: datetime) -> None:
    rows = Conversation.objects.filter(team=loaded)
    assert rows.count() == 23
    assert len(set(rows.values_list("source_tool", flat=True))) == 6  # that of groups among them
    assert len(set(rows.exclude(owner=None).values_list("owner__name", flat=True))) == 3
    assert loaded.memberships.count() == 5
    # A fortnight ago until now, and nothing in the future but what expires.
    assert min(rows.values_list("created_at", flat=True)) < now - timedelta(days=11)
    assert not rows.filter(updated_at__gt=now).exists()
    assert not Message.objects.filter(team=loaded, at__gt=now).exists()
    assert not Event.objects.filter(team=loaded, created_at__gt=now).exists()
    made = Handoff.objects.filter(team=loaded)
    kinds = Counter(made.values_list("status", flat=True))
    assert kinds[HandoffStatus.DRAFT] == kinds[HandoffStatus.FAILED] == 1
    assert made.get(offered_to=owner).status == HandoffStatus.READY
    assert Task.objects.filter(team=loaded, status=TaskStatus.BLOCKED).exists()
    assert Receipt.objects.filter(team=loaded).count() >= 4
    assert AuditReport.objects.filter(team=loaded).count() == 2
    # Chains of one to four, and a branch.
    assert set(HandoffChain.objects.filter(team=loaded).values_list("total_handoffs", flat=True)) == {1, 3}
    assert Resumption.objects.filter(team=loaded, fork=True).count() == 1
    # Made a moment ago, yet in the order in which it is said to have happened.
    for link in Resumption.objects.filter(team=loaded).select_related("handoff__conversation", "conversation"):
        assert link.handoff.conversation.created_at < link.handoff.created_at < link.conversation.created_at
    # One expires, the others stay.
    assert expiry.expire_lapsed(now=now) == 1
    assert Conversation.objects.get(team=loaded, status=ConversationStatus.EXPIRED).title == "What did the last storm teach us"
    # It counts for its own pages, and not in the metrics of the installation.
    measurements.catch_up()
    assert Attempt.objects.filter(team=loaded).count() >= 15
    assert min(Attempt.objects.values_list("at", flat=True)) < timezone.now() - timedelta(days=11)
    assert not Series.objects.exists()


def test_a_second_one_is_refused(owner: User, now: datetime) -> None:
    demo.load(owner=owner, now=now, schedule={})
    with pytest.raises(Conflict):
        demo.load(owner=owner, now=now)


def test_a_person_who_has_the_address_of_a_made_up_one_is_left_alone(owner: User, now: datetime) -> None:
    User.objects.create_user("jonas@tidewatch.example")
    with pytest.raises(Conflict, match=r"jonas@tidewatch\.example"):
        demo.load(owner=owner, now=now)
    assert not Team.objects.filter(demo=True).exists()
