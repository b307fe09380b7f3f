from django.apps import AppConfig


class ContinuityConfig(AppConfig):
    name = "continuity"
    verbose_name = "Continuity: what is remembered"
    default_auto_field = "django.db.models.BigAutoField"
