"""`/metrics` for Prometheus: the requests of this process, and what handing off adds up to over all processes."""

import logging

import prometheus_client
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diagnostics.measuring.exposition import exposition
from diagnostics.services import measurements, scrapes

logger = logging.getLogger("continuity.metrics")


@require_safe
@never_cache
def metrics_view(request: HttpRequest) -> HttpResponse:
    """Open to everyone who reaches it. Where the store is away, the process still tells of itself."""
    own = prometheus_client.generate_latest().decode()
    return HttpResponse(own + _counted(), content_type=prometheus_client.CONTENT_TYPE_PLAIN_0_0_4)


def _counted() -> str:
    try:
        measurements.catch_up()
        return exposition(scrapes.points())
    except DatabaseError as error:
        logger.warning("The store does not answer: metrics of handoffs are left out", extra={"metadata": {"error": type(error).__name__}})
        return ""
