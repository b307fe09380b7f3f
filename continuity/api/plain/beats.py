"""Heartbeats beside the site: what every runner sends every two seconds."""

from __future__ import annotations

import json
import re

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone

from continuity.api.access import AGENT_HEADER
from continuity.api.plain import calls
from continuity.api.plain.beat_form import plain_beats
from continuity.api.plain.lanes import Lanes
from continuity.core.errors import DomainError
from continuity.models import Scope
from continuity.services.agents import heartbeats

PATH = re.compile("/api/v1/agents/heartbeats")
_threads = Lanes(calls.THREADS, "heartbeats")


def with_plain_beats(site: calls.Application) -> calls.Application:
    """The site with plain heartbeats answered before it."""
    return calls.with_plain_calls(site, permission=Scope.AGENT, threads=_threads, works={PATH: _hear}, asks_for_key=True)


def _hear(call: calls.PlainCall) -> HttpResponse | None:
    told = plain_beats(call.body, call.header(AGENT_HEADER))
    if told is None:
        return None
    try:
        found = heartbeats.hear(
            team=call.key.team, runner=told.runner, given=told.beats, now=timezone.now(), presumed=call.key if call.presumed else None
        )
    except DomainError:
        return None
    agents = [
        {"agent": each.agent, "result": each.result, "status": each.status, "epoch": each.epoch, "orders": list(each.orders)}
        for each in found
    ]
    intervals = {"interval_ms": settings.HEARTBEAT_INTERVAL_MS, "lost_after_ms": settings.AGENT_LOST_AFTER_MS}
    return HttpResponse(json.dumps({**intervals, "agents": agents}), content_type=calls.MEDIA_TYPE)
