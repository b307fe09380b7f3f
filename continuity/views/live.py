"""The stream that the pages listen to."""

from django.http import HttpResponseBase
from django.views.decorators.http import require_safe

from continuity.live import stream
from continuity.views.access import MemberRequest, member_page


@member_page
@require_safe
def events(request: MemberRequest) -> HttpResponseBase:
    """Names and ids of the team's events; a panel that shows one of them asks for itself again."""
    return stream.respond(request, team=request.principal.team, named=False)
