"""The web process: Django over ASGI with a bounded pool of database connections."""

from __future__ import annotations

import os
import signal
from importlib import import_module

import django

from config.embedded.exec_as import die_with_parent
from config.embedded.leftovers import MARK
from config.middleware.one_thread import OneThreadHandler
from config.supervision import readiness

if os.environ.get(MARK):
    die_with_parent(signal.SIGKILL)  # The server's main process: kill -9 of it must free the port.

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["CONTINUITY_DB_POOL"] = "1"
django.setup()
import_module("config.telemetry").configure_from_environment("web")  # Before the handler is built: it adds a middleware.
site = import_module("continuity.mcp.http").with_mcp(OneThreadHandler())
site = import_module("continuity.api.plain.bus").with_plain_bus(site)
limits = import_module("config.middleware.time_limit").Site(import_module("config.middleware.body_limit").limited(site))
# Before the limits, which cost as much as what it does: it has bounds of its own.
site = import_module("continuity.api.plain.beats").with_plain_beats(limits)
application = import_module("config.middleware.request_tally").RequestTally(
    import_module("config.middleware.draining").Draining(limits, site)
)
import_module("continuity.warmup").settle()  # A fault there ends the start, not the first request; and the first request is fast.
readiness.wait()
import_module("continuity.services.agents.presence").begin()  # From now on agents can be heard here.
