"""Each run of scheduled work is noted, in whichever worker, and what nobody scheduled is not."""

import pytest

from continuity import tasks
from diagnostics.models import ScheduledRun
from diagnostics.tasks import forget_attempts
from handoffs.services.packages import cleanup
from handoffs.tasks import delete_expired

pytestmark = pytest.mark.usefixtures("db", "eager_tasks")


def test_it_works():
    forget_attempts.delay()
    run = ScheduledRun.objects.get(name="diagnostics.forget_attempts")
    assert run.runs == 1 and run.failures == 0
    assert run.finished_at is not None and run.started_at is not None and run.started_at <= run.finished_at


def test_what_went_wrong_is_counted(monkeypatch):
    def broken(**_):
        raise ArithmeticError

    monkeypatch.setattr(cleanup, "delete_expired", broken)
    with pytest.raises(ArithmeticError):
        delete_expired.delay()
    run = ScheduledRun.objects.get(name="handoffs.delete_expired")
    assert (run.failures, bool(run.error)) == (1, True)


def test_work_that_is_not_scheduled_is_not_noted():
    tasks.clean_up_invalidated.delay()
    assert not ScheduledRun.objects.exists()
