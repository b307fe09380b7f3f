"""Publishing and acknowledging beside the site: between an agent and another that waits for its event stands nothing else.

The endpoints themselves are called, with forms and answers that are theirs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone
from ninja import Schema, Status
from ninja.responses import NinjaJSONEncoder
from pydantic import ValidationError

from continuity import auth
from continuity.api.access import AGENT_HEADER, named_instance
from continuity.api.bus.deliveries import AcksIn, AcksOut, acknowledge_given
from continuity.api.bus.publishing import PublicationsIn, PublishedListOut
from continuity.api.events import publish_given
from continuity.api.plain import calls
from continuity.api.problems import render
from continuity.auth import Principal
from continuity.core import actor
from continuity.core.errors import DomainError, KeyRefused
from continuity.models import ApiKey, Scope
from continuity.services.accounts import known_keys, rates
from continuity.services.events import relay
from continuity.services.subscriptions.acknowledging import AckOutcome
from continuity.transcripts.base.decoding import decode_record
from continuity.transcripts.base.errors import BadRecord

PUBLISHING = re.compile("/api/v1/events")
ACKNOWLEDGING = re.compile("/api/v1/subscriptions/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/acks")
# While some wait for the rows of one team, the others are answered by the site.
TURN_SECONDS = 0.25
Form = TypeVar("Form", bound=Schema)
# For a principal, whose key is perhaps only presumed to hold.
PlainWork = Callable[[Principal, ApiKey | None], Status[Any]]

_threads = ThreadPoolExecutor(calls.THREADS, thread_name_prefix="bus")


def with_plain_bus(site: calls.Application) -> calls.Application:
    """The site with plain publishing and acknowledging answered before it."""
    works = {PUBLISHING: _publish, ACKNOWLEDGING: _acknowledge}
    return calls.with_plain_calls(site, permission=Scope.WRITE, threads=_threads, works=works, turn=TURN_SECONDS, asks_for_key=True)


def _publish(call: calls.PlainCall) -> HttpResponse | None:
    given = _given(PublicationsIn, call.body)
    # The site may do it once more: what has no id would be stored twice.
    if given is None or any(each.id is None for each in given.events):
        return None
    with relay.marked_later():
        return _answer(call, PublishedListOut, lambda who, presumed: publish_given(who, given, presumed=presumed))


def _acknowledge(call: calls.PlainCall) -> HttpResponse | None:
    given = _given(AcksIn, call.body)
    # A failure that is told twice would count twice.
    if given is None or any(each.outcome == AckOutcome.FAILED for each in given.acks):
        return None
    id = UUID(call.named[0])
    return _answer(call, AcksOut, lambda who, presumed: acknowledge_given(who, id, given, presumed=presumed))


def _given(form: type[Form], body: bytes) -> Form | None:
    try:
        return form.model_validate(decode_record(body))
    except (BadRecord, ValidationError):
        return None


def _answer(call: calls.PlainCall, form: type[Schema], work: PlainWork) -> HttpResponse | None:
    """The endpoint's answer to who is let in, or the refusal that the site would give; None where a key that was only presumed to hold
    has to be looked at first."""
    who, presumed = auth.principal_of(call.key), call.key if call.presumed else None
    try:
        rates.take(settings.CONTINUITY_API_RATE, "requests", str(call.key.id))
        with actor.from_address("") as acting:  # Nothing that is done here is audited.
            acting.condition = named_instance(call.header(AGENT_HEADER), call.key.team)
            told = _done(work, who, presumed)
    except DomainError as error:
        return render(error) if presumed is None or known_keys.holds(presumed, timezone.now()) else None
    body = json.dumps(form.model_validate(told.value).model_dump(), cls=NinjaJSONEncoder)
    return HttpResponse(body, status=told.status_code, content_type=calls.MEDIA_TYPE)


def _done(work: PlainWork, who: Principal, presumed: ApiKey | None) -> Status[Any]:
    """The result; where it was not enough to ask for the key with it, that is asked first."""
    try:
        return work(who, presumed)
    except KeyRefused:
        if presumed is None or not known_keys.holds(presumed, timezone.now()):
            raise
    return work(who, None)
