"""What operators are told of groups: the alert while nobody is there, until one is back or the group is closed."""

from __future__ import annotations

from typing import Any

from diagnostics.alerting.rules import AlertRule
from diagnostics.models import Alert
from tests.groups.table import Table


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
