import gc
from importlib import import_module

from django.apps import AppConfig
from django.conf import settings


class ContinuityConfig(AppConfig):
    name = "continuity"
    verbose_name = "Continuity: what is remembered"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Whoever queues work does so for our workers: a script that only sets Django up would look for Celery's default broker.
        import_module(settings.CONTINUITY_TASK_APP)
        # What is loaded by now stays until the process ends: the collector need not look through it again in each full round.
        gc.freeze()
