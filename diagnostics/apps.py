from django.apps import AppConfig


class DiagnosticsConfig(AppConfig):
    name = "diagnostics"
    verbose_name = "Diagnostics: what is judged and watched"
    default_auto_field = "django.db.models.BigAutoField"
