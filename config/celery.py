"""The Celery application: worker and beat run from here, every publisher binds to it by importing it."""

from __future__ import annotations

import os

from celery import Celery

from config import task_context  # noqa: F401  (connects its signals)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# name -> {"task": "continuity.tasks.sweep_events", "schedule": seconds or celery.schedules.crontab(...)}
BEAT_SCHEDULE: dict[str, dict[str, object]] = {
    "sweep": {"task": "continuity.sweep", "schedule": 5.0, "options": {"expires": 5}},
    "expire conversations": {"task": "continuity.expire_conversations", "schedule": 60.0, "options": {"expires": 60}},
    "clean up pending conversations": {"task": "continuity.clean_up_pending", "schedule": 300.0, "options": {"expires": 300}},
    "finish erasing": {"task": "handoffs.finish_erasing", "schedule": 15.0, "options": {"expires": 15}},
    "follow up": {"task": "handoffs.follow_up_left", "schedule": 10.0, "options": {"expires": 10}},
    "relieve agents": {"task": "handoffs.relieve_left", "schedule": 5.0, "options": {"expires": 5}},
    "brief joiners": {"task": "handoffs.brief_joiners_left", "schedule": 15.0, "options": {"expires": 15}},
    "gather left probes": {"task": "handoffs.gather_left_probes", "schedule": 60.0, "options": {"expires": 60}},
    "delete expired handoffs": {"task": "handoffs.delete_expired", "schedule": 300.0, "options": {"expires": 300}},
    "fold outdated knowledge again": {"task": "continuity.refold_outdated", "schedule": 300.0, "options": {"expires": 300}},
    "search for secrets again": {"task": "continuity.find_secrets_again", "schedule": 60.0, "options": {"expires": 60}},
    "measure": {"task": "diagnostics.measure", "schedule": 10.0, "options": {"expires": 10}},
    "settle alerts": {"task": "diagnostics.settle_alerts", "schedule": 60.0, "options": {"expires": 60}},
    "export metrics": {"task": "diagnostics.export_metrics", "schedule": 60.0, "options": {"expires": 60}},
    "forget old attempts": {"task": "diagnostics.forget_attempts", "schedule": 3600.0, "options": {"expires": 3600}},
    "clear old log lines away": {"task": "continuity.purge_log_lines", "schedule": 600.0, "options": {"expires": 600}},
    "purge": {"task": "continuity.purge", "schedule": 3600.0, "options": {"expires": 3600}},
}

app = Celery("continuity", task_cls="config.task_context:CorrelatedTask")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.beat_schedule = BEAT_SCHEDULE
# So many beginnings and ends of tasks pass before Celery itself closes a pool process's connection; `task_context` does it sooner.
app.conf["CELERY_DB_REUSE_MAX"] = 1_000_000
app.autodiscover_tasks()
