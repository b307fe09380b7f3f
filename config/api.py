"""The one NinjaAPI; its routers live beside the nouns they serve."""

from __future__ import annotations

import json

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from continuity.api import anchors, commits, conversations, events, files, jobs, search, segments, tasks, unknown, windows
from continuity.api.accounts import client_keys
from continuity.api.agents import states, watching
from continuity.api.bus import deliveries, publishing, subscriptions
from continuity.api.interface import Interface
from continuity.api.shared_state import states as shared_states
from continuity.api.shared_state import versions as state_versions
from diagnostics.api import alerts, audits, custom, demo, metrics
from handoffs.api import (
    chains,
    comparison,
    edits,
    erasing,
    expansion,
    fidelity,
    groups,
    handoffs,
    life,
    messages,
    notes,
    notices,
    offers,
    packages,
    packs,
    policies,
    ratings,
    receipts,
    restoring,
    unmasking,
    usage,
)

api = Interface(
    title="Continuity",
    version=settings.CONTINUITY_VERSION,
    description="Keeps the work of AI agents alive across sessions.",
    docs_url=None,
    urls_namespace="api",
)
api.add_router("/conversations", conversations.router)
for noun in (
    jobs,
    messages,
    usage,
    anchors,
    tasks,
    files,
    commits,
    segments,
    events,
    publishing,
    subscriptions,
    deliveries,
    watching,
    states,
    shared_states,
    state_versions,
    groups,
    search,
    handoffs,
    edits,
    notes,
    life,
    notices,
    offers,
    packages,
    comparison,
    expansion,
    fidelity,
    policies,
    windows,
    ratings,
    packs,
    receipts,
    restoring,
    chains,
    erasing,
    unmasking,
    audits,
    demo,
    metrics,
    custom,
    alerts,
    client_keys,
    unknown,
):
    api.add_router("", noun.router)


def docs(request: HttpRequest) -> HttpResponse:
    """The OpenAPI page, from our own static files (no CDN, no inline script)."""
    shown = {"layout": "BaseLayout", "deepLinking": True, "url": reverse("api:openapi-json")}
    return render(request, "api_docs.html", {"title": api.title, "swagger_settings": json.dumps(shown)})
