from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class HandoffsConfig(AppConfig):
    name = "handoffs"
    verbose_name = "Handoffs: what is carried on"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        autodiscover_modules("handlers")
