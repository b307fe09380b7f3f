import gc
from importlib import import_module

from django.apps import AppConfig, apps
from django.conf import settings
from django.db.models.signals import post_migrate

from continuity.upgrades.release_before import LAST_MIGRATIONS


class ContinuityConfig(AppConfig):
    name = "continuity"
    verbose_name = "Continuity: what is remembered"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Whoever queues work does so for our workers: a script that only sets Django up would look for Celery's default broker.
        import_module(settings.CONTINUITY_TASK_APP)
        follow_models = import_module("continuity.upgrades.foreign_keys").follow_models  # It needs models, which are loaded by now.
        for app in LAST_MIGRATIONS:
            post_migrate.connect(follow_models, sender=apps.get_app_config(app), dispatch_uid=f"foreign keys of {app}")
        # What is loaded by now stays until the process ends: the collector need not look through it again in each full round.
        gc.freeze()
