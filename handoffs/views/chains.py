"""A chain: the handoffs that continue one another."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity.views.access import MemberRequest, member_page
from handoffs import queries
from handoffs.services import chains


@member_page
@require_safe
def page(request: MemberRequest, chain_id: UUID) -> HttpResponse:
    """Found by the chain's id or by that of any conversation in it."""
    chain = chains.get(team=request.principal.team, any_id=chain_id)
    return render(request, "handoffs/chain.html", {"chain": chain, "links": queries.links_of(chain)})
