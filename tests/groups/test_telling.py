"""What operators are told of groups: the alert while nobody is there, until one is back or the group is closed."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from continuity.models import AuditEntry, Group, Role, User
from continuity.services.accounts import accounts
from diagnostics.alerting.rules import AlertRule
from diagnostics.models import Alert
from handoffs.attention import IN_MIND
from tests.cast import person
from tests.groups.table import Table
from tests.web.world import browser


def test_it_works(table: Table, django_capture_on_commit_callbacks: Any) -> None:
    suspend(table, django_capture_on_commit_callbacks)
    with django_capture_on_commit_callbacks(execute=True):
        table.runner.start("network")
        table.passes(2)
        table.watch()
    assert not of_group().exists()


def test_a_group_that_is_closed_is_missed_by_nobody(table: Table, django_capture_on_commit_callbacks: Any) -> None:
    suspend(table, django_capture_on_commit_callbacks)
    with django_capture_on_commit_callbacks(execute=True):
        table.post("close")
    assert not of_group().exists()


def test_home_shows_it_to_whoever_may_write_until_it_goes_on(table: Table, owner: User, django_capture_on_commit_callbacks: Any) -> None:
    suspend(table, django_capture_on_commit_callbacks)
    viewer = person("viewer")
    accounts.add_member(team=table.team, user=viewer, role=Role.VIEWER)
    page = browser(owner).get("/").content.decode()
    assert "Groups that wait" in page and f"/groups/{table.id}" in page and table.group.reason in page
    assert f'<a class="button act" href="/groups/{table.id}"' in page
    assert "Groups that wait" not in browser(viewer).get("/").content.decode()
    Group.objects.filter(id=table.id).update(status_at=timezone.now() - IN_MIND)
    assert "Groups that wait" not in browser(owner).get("/").content.decode()


def test_what_people_do_with_groups_is_in_the_audit_log(table: Table, owner: User) -> None:
    table.seat("dba", "network")
    table.caller.call("DELETE", f"/groups/{table.id}/participants/network")
    table.post("close")
    done = AuditEntry.objects.filter(team=table.team, subject_id=table.id).order_by("created_at").values_list("action", "subject")
    assert list(done) == [("group.created", ""), ("group.left", "network"), ("group.closed", "")]
    page = browser(owner).get("/team/audit").content.decode()
    assert f'<a href="/groups/{table.id}">took an agent out of a group</a>: network' in page


def suspend(table: Table, committed: Any) -> None:
    with committed(execute=True):
        table.seat("dba", "network", message="Which index?")
        for name in ("dba", "network"):
            table.runner.post(name, "stop")
        table.passes(1.1)
        table.watch()
    alert = of_group().get()
    assert (alert.severity, alert.subject_kind, str(alert.subject_id)) == ("critical", "group", table.id)
    assert alert.message == "2 agents are away"


def of_group() -> Any:
    return Alert.objects.open().filter(rule=AlertRule.GROUP_SUSPENDED)
