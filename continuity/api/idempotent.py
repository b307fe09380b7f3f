"""`Idempotency-Key`: an endpoint that does its work once for each key, and gives the same answer again."""

import hashlib
import json
import logging
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import Error as DatabaseError
from django.http import HttpResponse
from ninja import Status
from ninja.operation import Operation
from ninja.responses import NinjaJSONEncoder
from ninja.utils import contribute_operation_callback

from continuity.api.access import ApiRequest
from continuity.api.problems import MEDIA_TYPE
from continuity.core import transactions
from continuity.core.errors import Invalid
from continuity.services.recording.idempotency import StoredReply, amend, once

logger = logging.getLogger("continuity.api")

HEADER = "Idempotency-Key"
ACCEPTABLE = re.compile(r"[\x21-\x7e]{1,200}")
PARAMETER = {
    "in": "header",
    "name": HEADER,
    "required": False,
    "schema": {"type": "string", "maxLength": 200, "pattern": r"^[\x21-\x7e]+$"},
    "description": "Repeating a request with the same key within 24 hours gives the first answer again (`Idempotent-Replayed: true`).",
}

Endpoint = Callable[..., Any]
Then = Callable[[ApiRequest, Any], Any]


def idempotent(endpoint: Endpoint) -> Endpoint:
    """Lets callers send a key with an endpoint that returns `Status(code, schema)`. Raises Invalid on a bad or reused key."""
    return idempotent_then(lambda _request, answer: answer)(endpoint)


def idempotent_then(then: Then) -> Callable[[Endpoint], Endpoint]:
    """As `idempotent`; when what the endpoint did is committed, with or without a key, `then` makes its answer into the one that is
    told. It must not raise. A repetition gets the answer that was told, or, if the process died in between, the endpoint's."""

    def deciding(endpoint: Endpoint) -> Endpoint:
        @wraps(endpoint)
        def answering(request: ApiRequest, *args: Any, **kwargs: Any) -> Any:
            key = request.headers.get(HEADER)
            if key is None:
                done: Status[Any] = endpoint(request, *args, **kwargs)
                with transactions.unconditional():
                    return Status(done.status_code, then(request, done.value))
            if not ACCEPTABLE.fullmatch(key):
                raise Invalid(f"{HEADER} must be 1 to 200 printable ASCII characters without spaces.", field=HEADER)
            answers: list[Status[Any]] = []

            def work() -> StoredReply:
                answers[:] = [endpoint(request, *args, **kwargs)]
                return _reply(answers[0])

            reply = once(team=request.auth.team, key=key, digest=digest_of(request), work=work, path=request.path)
            return _response(reply if reply.replayed else _followed(request, key, reply, answers[0], then))

        contribute_operation_callback(answering, _document)
        return answering

    return deciding


def _reply(answer: Status[Any]) -> StoredReply:
    # Through the encoder that every other answer takes, so that a key changes nothing in what is said.
    return StoredReply(answer.status_code, json.dumps(answer.value.model_dump(), cls=NinjaJSONEncoder))


def _followed(request: ApiRequest, key: str, reply: StoredReply, answer: Status[Any], then: Then) -> StoredReply:
    with transactions.unconditional():
        told = _reply(Status(answer.status_code, then(request, answer.value)))
    if told == reply:
        return reply
    try:
        amend(team=request.auth.team, key=key, reply=told)
    except DatabaseError:
        logger.exception("The answer to a key stays as it was before what followed")
    return told


def digest_of(request: ApiRequest) -> str:
    """SHA-256 of what is asked: method, path, query and body; of an upload its fields and the content of its files."""
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    if request.content_type != "multipart/form-data":
        digest.update(request.body)
        return digest.hexdigest()
    digest.update(repr(sorted(request.POST.lists())).encode("utf-8", "surrogatepass"))
    for name, file in sorted(request.FILES.items()):
        if not isinstance(file, UploadedFile):
            continue
        digest.update(f"\n{name} {file.size}\n".encode())
        for chunk in file.chunks():
            digest.update(chunk)
        file.seek(0)
    return digest.hexdigest()


def _response(reply: StoredReply) -> HttpResponse:
    # What was erased since is told as a problem.
    media_type = MEDIA_TYPE if reply.status >= 400 else "application/json; charset=utf-8"
    response = HttpResponse(reply.body, status=reply.status, content_type=media_type)
    if reply.replayed:
        response["Idempotent-Replayed"] = "true"
    return response


def _document(operation: Operation) -> None:
    extra = operation.openapi_extra or {}
    operation.openapi_extra = {**extra, "parameters": [*extra.get("parameters", []), PARAMETER]}
