"""Unknown paths under the API: a problem as everywhere else, not a page."""

from typing import NoReturn

from django.urls import converters, register_converter
from ninja import Router

from continuity.api.access import ApiRequest
from continuity.core.errors import NotFound


class Anything(converters.PathConverter):
    """A path with line breaks in it too: they may stand in what is given as a name."""

    regex = "(?s:.+)"


register_converter(Anything, "whatever")
router = Router()
METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]


@router.api_operation(METHODS, "/{whatever:anything}", auth=None, include_in_schema=False)
def answer_unknown(request: ApiRequest, anything: str) -> NoReturn:
    raise NotFound(noun="resource")
