"""A process that is killed between storing an alert and telling of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.db import connection

from diagnostics.models import Alert
from tests.alerts import incidents

pytestmark = pytest.mark.django_db(transaction=True)

RAISING = """
import sys, uuid, django
django.setup()
from django.utils import timezone
from diagnostics.alerting.refusals import Refusals
from diagnostics.alerting.rules import AlertRule
from diagnostics.services import alert_delivery, alert_raising
alert_raising.raise_once(AlertRule.PURGE_FAILS, subject=uuid.UUID(sys.argv[1]), team=None, message="x", now=timezone.now())
alert_delivery.deliver("pagerduty", Refusals())
"""


@pytest.fixture
def there() -> Iterator[incidents.PretendedPagerDuty]:
    with incidents.pretended() as made:
        yield made


def test_it_works(there: incidents.PretendedPagerDuty) -> None:
    """kill -9 while PagerDuty has the alert in hand: a monitor that starts afterwards tells it, one that starts after that does not,
    and there is one incident."""
    at = connection.settings_dict
    env = {
        **os.environ,
        "DATABASE_URL": f"postgres://{at['USER']}:{at['PASSWORD']}@{at['HOST']}:{at['PORT']}/{at['NAME']}",
        "ALERT_PAGERDUTY_KEY": "key",
    }
    with incidents.hanging() as (url, asked, _):
        command = [sys.executable, "-c", RAISING, str(uuid4())]
        process = subprocess.Popen(command, env={**env, "ALERT_PAGERDUTY_URL": url})
        try:
            assert asked.wait(60)
        finally:
            process.kill()
            process.wait()
    assert [alert.untold for alert in Alert.objects.all()] == [["pagerduty"]]
    for _ in range(2):  # The second finds nothing to tell.
        monitor = subprocess.Popen([sys.executable, "manage.py", "monitor"], env={**env, "ALERT_PAGERDUTY_URL": there.url})
        try:
            begun = time.monotonic()
            while Alert.objects.exclude(untold=[]).exists() and time.monotonic() - begun < 60:
                time.sleep(0.05)
            time.sleep(1)
        finally:
            monitor.send_signal(signal.SIGKILL)
            monitor.wait()
    assert (there.told, len(there.incidents), len(there.open)) == (1, 1, 1)
    assert Alert.objects.get().untold == []
