"""The author of a change to a handoff over the API, and the version that it is based on."""

from continuity.api.access import ApiRequest
from continuity.api.versions import expected_version
from handoffs.services.packages.authors import Author


def author(request: ApiRequest) -> Author:
    return Author(request.auth.user, request.auth.key)


def version(request: ApiRequest) -> int | None:
    """The version of `If-Match`. Raises Invalid."""
    return expected_version(request.headers.get("If-Match", ""))
