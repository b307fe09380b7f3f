"""Every refusal as `application/problem+json` (RFC 9457)."""

import logging
import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation, TooManyFilesSent
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from ninja import Field, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError

from continuity import releases
from continuity.core import disk
from continuity.core.correlation import current_correlation_id
from continuity.core.errors import ClientTooOld, DomainError, Invalid, NoRoom, NotFound, TooLarge, Unauthenticated
from continuity.core.store_errors import refusal_of
from continuity.transcripts.base.errors import BadRecord

logger = logging.getLogger("continuity.api")

# The error behind an answer, kept with its request for who tells of it.
CAUSE = "continuity.cause"
MEDIA_TYPE = "application/problem+json"


class Problem(Schema):
    """Why a request was refused. Beside these fields stand the facts of the case, such as `field`, `limit` or `scope`."""

    type: str = Field(description="Names the kind of problem.", examples=["urn:continuity:problem:not_found"])
    title: str = Field(examples=["Not found"])
    status: int = Field(examples=[404])
    detail: str = Field(description="One sentence for a person.", examples=["There is no such conversation."])
    code: str = Field(description="The kind of problem for a program.", examples=["not_found"])


def answers(model: Any, status: int = 200, *also: int) -> dict[int, Any]:
    """The answers of an operation: `model` with `status`, and the refusals that every operation may answer, and `also`.

    Refusals are raised, never returned, so they need no model here: Ninja would make one for each of them in each operation, a third of
    what the API took to import. Its description says that each is a `Problem`.
    """
    return {status: model} | dict.fromkeys(sorted({400, 401, 403, 404, 422, 429, 503, *also}))


def render(error: DomainError) -> HttpResponse:
    """The answer for an error of ours, with the headers that HTTP asks for."""
    headers = {}
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="continuity"' + (', error="invalid_token"' if error.code == "key_refused" else "")
    if "retry_after" in error.data:
        headers["Retry-After"] = str(error.data["retry_after"])
    return problem(error.status, error.code, error.detail, error.data, headers)


def refused_client(user_agent: str) -> HttpResponse | None:
    """The refusal of a client of ours that is too old for this server; None for any other, and for any other program."""
    version = releases.client_of(user_agent)
    if not releases.is_older(version, releases.OLDEST_CLIENT):
        return None
    return render(ClientTooOld(given=version, oldest=releases.OLDEST_CLIENT))


def problem(
    status: int, code: str, detail: str, data: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    known = {
        "type": f"urn:continuity:problem:{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": detail,
        "code": code,
    }
    body = {**(data or {}), **known}
    return JsonResponse(body, status=status, headers=dict(headers or {}), content_type=MEDIA_TYPE)


def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    found = [{"field": _field(each["loc"]), "message": each["msg"]} for each in error.errors]
    detail = "; ".join(f"{each['field']}: {each['message']}" for each in found[:5])
    return render(Invalid(detail, field=found[0]["field"], errors=found[:50]))


_KIND = re.compile(r"(?:str-enum|literal)\[.*\]")


def _field(location: tuple[str | int, ...]) -> str:
    """`messages.2.role` from where a check failed; the outer names only say whether it was the body or the query, and the last
    may be one of the kinds that the value could have been."""
    inner = location[1:] if len(location) > 1 else location
    if len(inner) > 1 and _KIND.fullmatch(str(inner[-1])):
        inner = inner[:-1]
    return ".".join(str(step) for step in inner if step != "payload") or str(location[0])


def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    if isinstance(error.__cause__, BadRecord):
        return problem(400, "bad_json", f"The request's body {error.__cause__.reason}.")
    if isinstance(error.__cause__, RequestDataTooBig):
        return _too_big(request, error.__cause__)
    code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
    return problem(error.status_code, code, str(error))


def _too_big(request: HttpRequest, error: Exception) -> HttpResponse:
    limit = f"{settings.CONTINUITY_MAX_BATCH_BYTES:,} bytes"
    return render(TooLarge(noun="The request", size="more bytes", limit=limit))


def _unreadable(request: HttpRequest, error: Exception) -> HttpResponse:
    return problem(400, "bad_request", "The request can't be read.")


def _unavailable(request: HttpRequest, error: Exception) -> HttpResponse:
    request.META[CAUSE] = error
    logger.error("The database does not answer", extra={"metadata": {"error": str(error).partition("\n")[0]}})
    return render(refusal_of(error))


def _disk(request: HttpRequest, error: OSError) -> HttpResponse:
    if not disk.is_full(error):
        return _unexpected(request, error)
    logger.error("The disk takes nothing", exc_info=error)
    return render(NoRoom())


def _unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    """A fault of ours: told to whoever watches, with an id by which its log line is found; the caller sees no traceback."""
    request.META[CAUSE] = error
    got_request_exception.send(sender=None, request=request)
    logger.exception("Unexpected %s in %s", type(error).__name__, request.path, exc_info=error)
    detail = "Something went wrong on our side; nothing is known to have been saved."
    return problem(500, "internal_error", detail, {"correlation_id": current_correlation_id()})


HANDLERS: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
    DomainError: lambda request, error: render(error),
    AuthenticationError: lambda request, error: render(Unauthenticated()),
    Http404: lambda request, error: render(NotFound(noun="resource")),
    ValidationError: _invalid,
    HttpError: _http_error,
    RequestDataTooBig: _too_big,
    TooManyFilesSent: lambda request, error: render(
        TooLarge(noun="The request", size="more files", limit=f"{settings.CONTINUITY_MAX_UPLOAD_FILES} files")
    ),
    SuspiciousOperation: _unreadable,
    BadRequest: _unreadable,
    MultiPartParserError: _unreadable,
    OperationalError: _unavailable,
    InterfaceError: _unavailable,
    OSError: _disk,
    Exception: _unexpected,
}
