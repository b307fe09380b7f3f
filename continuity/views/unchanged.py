"""Answering 304 where a panel shows what it would show again."""

import hashlib
from collections.abc import Callable

from django.conf import settings
from django.http import HttpResponse
from django.utils.cache import get_conditional_response

from continuity.views.access import MemberRequest


def unless_unchanged(request: MemberRequest, version: object, render: Callable[[], HttpResponse]) -> HttpResponse:
    """`render()` with an ETag that follows from `version`, or 304 where the reader has that one already.

    `version` is what all that is shown depends on, such as `(conversation.version, conversation.folded_seq)`; who asks, in
    which team and role, and the release are added to it.
    """
    who = request.principal
    known = (settings.CONTINUITY_VERSION, request.get_full_path(), bool(request.htmx), who.team.pk, who.role, request.user.pk, version)
    etag = f'"{hashlib.sha256(repr(known).encode()).hexdigest()[:32]}"'
    same = get_conditional_response(request, etag=etag)
    if same is not None:
        return HttpResponse(status=304, headers={"ETag": etag})
    response = render()
    response.headers["ETag"] = etag
    return response
