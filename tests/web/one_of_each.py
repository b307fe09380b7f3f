"""A row of every model, for the admin to show."""

from django.utils import timezone

from continuity import models
from continuity.services.accounts import apikeys, client_codes, invitations
from diagnostics.models import Alert, AlertSeen, Attempt, AuditReport, CustomSeries, ScheduledRun, Series, Uptime
from handoffs.models import (
    FidelityCheck,
    FileSummary,
    HandoffEdit,
    HandoffOverride,
    HandoffPolicy,
    HandoffRating,
    HandoffTombstone,
    OfferAnswer,
    PackPolicy,
    ProbeBank,
    ProbeCheckpoint,
    RankedSearch,
    Receipt,
    Repository,
    Resumption,
)
from tests.factories import ConversationFactory
from tests.groups.rows import make_group
from tests.web.world import world


def one_of_each(team, owner, words="Go on"):  # a row of every model
    there = world(team, owner, words)
    of = {"team": team, "conversation": there.conversation}
    apikeys.issue(team=team, name="agent", created_by=owner)
    client_codes.create(team=team, by=owner, now=timezone.now())
    invitations.create(team=team, role=models.Role.MEMBER, by=owner, now=timezone.now())
    event = models.Event.objects.create(team=team, name="thing.happened", position=1)
    models.DeadLetter.objects.create(team=team, event=event, subscriber="a.handler", reason="ValueError", failed_at=timezone.now())
    models.Deferral.objects.create(**of, kind="fold", subject_id=there.conversation.id, not_before=timezone.now(), error="ValueError")
    models.Cursor.objects.create(consumer="relay")
    models.LogLine.objects.create(logged_at=timezone.now(), level="info", correlation_id="c", message="m")
    fold = models.FoldCheckpoint.objects.create(**of, seq=0, rules_version=1, state={"words": words})
    ProbeBank.objects.get_or_create(
        conversation=there.conversation, defaults={"team": team, "rules_version": 1, "state": {"rules": [words]}}
    )
    ProbeCheckpoint.objects.create(**of, fold=fold, seq=0, rules_version=1, state={"rules": [words]})
    models.IdempotentReply.objects.create(team=team, key="k", request_digest="d", status=200, body={"words": words})
    models.ModelPass.objects.create(**of, first_seq=1, last_seq=2, summary=words)
    models.Cleanup.objects.create(**of, due_at=timezone.now())
    models.SkippedMessage.objects.create(**of, seq=1, reader="knowledge", error="ValueError", place="options.py:41")
    models.Notice.objects.create(**of, kind="conversation.expiring", subject_id=there.conversation.id, due_at=timezone.now())
    models.Erasure.objects.create(team=team, conversation=there.conversation.id, scope="place", erased_as="x", job=there.job)
    resumption = Resumption.objects.create(
        team=team, handoff=there.handoff, conversation=ConversationFactory.create(team=team), report={"isSeamless": True}
    )
    now = timezone.now()
    Attempt.objects.create(id=there.handoff.id, team=team, kind="handoff", at=now, succeeded=True, duration_ms=12.5)
    CustomSeries.objects.create(team=team, name="examples", kind="counter", since=now, updated_at=now)
    Uptime.objects.create(month=now.date().replace(day=1), since=now, looked_at=now, ready=True)
    Series.objects.create(instrument="lexichord.continuity.handoffs.success", count=1, total=1, since=now, updated_at=now)
    ScheduledRun.objects.create(name="continuity.sweep", finished_at=now, seconds=0.1, runs=1)
    of_package = {"team": team, "handoff": there.handoff}
    HandoffEdit.objects.create(**of_package, action="edit", target="anchor", key="k", before={"text": words}, after={"text": words})
    OfferAnswer.objects.create(**of_package, giver=owner, answered_by=owner, accepted=False)
    HandoffRating.objects.create(**of_package, kind="missing", key="k", text=words, excerpt=words, version=1)
    HandoffOverride.objects.create(**of_package, version=2, reason=words, score=0.5, missing=[words], made_as="x")
    scores = dict.fromkeys(("overall", "anchors", "tasks", "state", "coverage"), 0.9)
    FidelityCheck.objects.create(**of_package, version=1, cause="prepared", passed=True, **scores)
    AuditReport.objects.create(**of, through_seq=2, anchors=1, tasks=1, files=1, differing=0, duration_ms=1.5)
    told = {"rule": "save_failed", "severity": "warning", "message": words, "retries": 3, "since": now, "raised_at": now}
    alert = Alert.objects.create(team=team, subject_id=there.conversation.id, **told)
    AlertSeen.objects.create(alert=alert, user=owner)
    models.Topic.objects.create(team=team, name="task:completed", schema={"type": "object"})
    subscribed = models.Subscription.objects.create(team=team, name="billing", pattern="task:*")
    of_event = {"subscription": subscribed, "event": event, "position": 1}
    models.Delivery.objects.create(**of_event, due_at=now)
    models.Acknowledgement.objects.create(**of_event, acknowledged_at=now)
    models.PublishedPayload.objects.create(event=event, team=team, conversation=there.conversation, body={"words": words})
    state = models.StateEntry.objects.create(
        **of, scope="conversation", owner_id=there.conversation.id, key="plan", stored=[words], updated_at=now
    )
    models.StateVersion.objects.create(entry=state, number=1, position=1, author="agent billing", snapshot=[words])
    models.StoredState.objects.create(**of, kind="session", key=f"{team.id}.billing", body=words.encode(), saved_at=now)
    HandoffPolicy.objects.create(**of)
    of_repository = {"team": team, "repository": Repository.objects.get(team=team), "digest": "d2", "used_at": now}
    FileSummary.objects.create(**of_repository, path="src/parser.py", blob="ab12", symbols=[[1, words]])
    RankedSearch.objects.create(**of_repository, conversation=there.conversation, found={"places": [words]})
    PackPolicy.objects.create(team=team)
    make_group(team, words)
    Receipt.objects.create(**of_package, resumption=resumption, acknowledged=["a1"])
    HandoffTombstone.objects.create(id=there.job.id, team=team, conversation=there.job.id, reason="expired", deleted_at=timezone.now())
    return there
