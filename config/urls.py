"""Every path of the site; each app brings its own list."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from config.api import api, docs
from continuity.views.accounts.signing_in import admin_login
from continuity.views.refusals import bad_request

urlpatterns = [
    path("admin/login/", admin_login, name="admin-login"),
    path("admin/", admin.site.urls),
    path("api/docs", docs, name="api-docs"),
    path("api/v1/", api.urls),
    path("", include("continuity.urls")),
    path("", include("handoffs.urls")),
    path("", include("diagnostics.urls")),
]

handler400 = bad_request
