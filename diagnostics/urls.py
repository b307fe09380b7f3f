"""What diagnostics serves."""

from django.urls import path

from diagnostics.views.health import health_view, ready_view

urlpatterns = [
    path("health", health_view, name="health"),
    path("ready", ready_view, name="ready"),
]
