"""The receipt of a package: what the successor got, and what it did first."""

from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from continuity.core.errors import NotFound
from continuity.views.access import MemberRequest, member_page
from handoffs.models import Resumption
from handoffs.services.chains import receipts
from handoffs.services.packages import handoffs
from handoffs.views.board import panel


@member_page
@require_safe
def page(request: MemberRequest, handoff_id: UUID, resumption_id: UUID) -> HttpResponse:
    """The receipt of one resumption, with what its first messages show by now; without a receipt the page says so."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    rows = Resumption.objects.filter(handoff=handoff, id=resumption_id).select_related("conversation", "resumed_by")
    resumption = rows.first()
    if resumption is None:
        raise NotFound(noun="resumption of this handoff")
    told = receipts.find(handoff=handoff, resumption=resumption)
    first = told.first if told else receipts.first_acts(handoff=handoff, conversation_id=resumption.conversation_id)
    return panel(request, handoff, "handoff-receipt", {"resumption": resumption, "receipt": told, "first": first, "most": receipts.FIRST})
