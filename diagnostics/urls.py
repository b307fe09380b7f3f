"""Routes of diagnostics."""

from django.urls import path

from diagnostics.views import alerts, demo, overview, present
from diagnostics.views.health import health_view, ready_view
from diagnostics.views.metrics import metrics_view

urlpatterns = [
    path("diagnostics", overview.page, name="diagnostics"),
    path("diagnostics/now", present.page, name="now"),
    path("alerts", alerts.page, name="alerts"),
    path("alerts/test", alerts.test, name="test-alerts"),
    path("alerts/<uuid:alert_id>/seen", alerts.saw, name="saw-alert"),
    path("demo/remove", demo.remove, name="demo-remove"),
    path("health", health_view, name="health"),
    path("ready", ready_view, name="ready"),
    path("metrics", metrics_view, name="metrics"),
]
