"""`/health` and `/ready`: open to everyone, so that whoever watches the process needs no key."""

from dataclasses import asdict

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from diagnostics import health


@require_safe
@never_cache
def health_view(request: HttpRequest) -> JsonResponse:
    """FR-052: always 200; what is wrong stands in `status`."""
    return JsonResponse(asdict(health.health()))


@require_safe
@never_cache
def ready_view(request: HttpRequest) -> JsonResponse:
    """FR-053: 503 while requests can't be served."""
    readiness = health.readiness()
    return JsonResponse(asdict(readiness), status=200 if readiness.ready else 503, headers={} if readiness.ready else {"Retry-After": "5"})
