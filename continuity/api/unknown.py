"""Whatever path nothing else answers under the API: a problem as everywhere else, not a page."""

from typing import NoReturn

from ninja import Router

from continuity.api.access import ApiRequest
from continuity.core.errors import NotFound

router = Router()
METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]


@router.api_operation(METHODS, "/{path:anything}", auth=None, include_in_schema=False)
def answer_unknown(request: ApiRequest, anything: str) -> NoReturn:
    raise NotFound(noun="resource")
