from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class DiagnosticsConfig(AppConfig):
    name = "diagnostics"
    verbose_name = "Diagnostics: what is judged and watched"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        autodiscover_modules("handlers")
