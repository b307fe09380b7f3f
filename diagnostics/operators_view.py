"""How unfold shows the operators' view: our name, icon and colours."""

from __future__ import annotations

from typing import Any

from django.templatetags.static import static

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Continuity",
    "SITE_HEADER": "Continuity",
    "SITE_URL": "/",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda _request: static("icon.svg")}],
    "DASHBOARD_CALLBACK": "diagnostics.dashboard.dashboard",
    "COLORS": {
        "primary": {
            "50": "oklch(98.4% .014 180.7)",
            "100": "oklch(95.3% .051 180.8)",
            "200": "oklch(91% .096 180.4)",
            "300": "oklch(85.5% .138 181.1)",
            "400": "oklch(77.7% .152 181.9)",
            "500": "oklch(60% .118 184.7)",
            "600": "oklch(51.1% .096 186.4)",
            "700": "oklch(43.7% .078 188.2)",
            "800": "oklch(38.6% .063 188.4)",
            "900": "oklch(33% .055 190)",
            "950": "oklch(27.7% .046 192.5)",
        },
    },
    "SIDEBAR": {"show_search": True, "show_all_applications": True},
}
