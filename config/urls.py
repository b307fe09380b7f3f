"""Every path of the site; each app brings its own list."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from config.api import api, docs

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/docs", docs, name="api-docs"),
    path("api/v1/", api.urls),
    path("", include("continuity.urls")),
    path("", include("handoffs.urls")),
    path("", include("diagnostics.urls")),
]
