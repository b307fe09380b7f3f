"""A chain: the sessions and the handoffs that continue one another, as a tree."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity.models import Conversation
from continuity.templatetags.figures import level_of_score
from continuity.views.access import MemberRequest, member_page
from handoffs import queries
from handoffs.charts.tree import NODE, ChainPicture, NodeKind, Placed, Stop, tree
from handoffs.models import Handoff, HandoffStatus, Resumption
from handoffs.services.chains import chains


@dataclass(frozen=True, slots=True)
class Hop:
    """One row of the tree: a session or a handoff, and the resumption that opened a session."""

    placed: Placed
    session: Conversation | None = None
    handoff: Handoff | None = None
    opened: Resumption | None = None


@member_page
@require_safe
def page(request: MemberRequest, chain_id: UUID) -> HttpResponse:
    """Found by the chain's id or by that of any conversation in it; the latest handoffs, or those before a position."""
    chain = chains.get(team=request.principal.team, any_id=chain_id)
    before = request.GET.get("before", "")
    links = queries.links_of(chain, before=int(before) if before.isascii() and before.isdigit() and len(before) < 10 else None)
    drawn = tree(list(_stops(links)))
    first = min((link.position for link in links), default=1)
    shown = {
        "chain": chain,
        "links": links,
        "hops": _hops(links, drawn),
        "tree": drawn,
        "node": NODE,
        "number": len(links) if first == 1 and not before else chain.handoffs.newest_versions().count(),
        "earlier": first if first > 1 else None,
        "later": bool(before),
        "versions": any(getattr(link, "earlier", None) for link in links),
        "sessions": sum(placed.stop.kind is NodeKind.SESSION for placed in drawn.placed),
        "tools": sorted({link.conversation.source_tool for link in links if link.conversation.source_tool}),
        "lowest": min((link.fidelity_score for link in links), default=None),
    }
    return render(request, "handoffs/chain.html", shown)


def _stops(links: Sequence[Handoff]) -> Iterator[Stop]:
    opened = {resumption.conversation_id: resumption for link in links for resumption in link.resumptions.all()}
    course = {}  # the handoff by which each session goes on: the last that was resumed, or the last
    for link in links:
        if link.resumed_at or link.conversation_id not in course:
            course[link.conversation_id] = link.id
    sessions = {link.conversation_id: None for link in links} | {key: opened[key] for key in opened}
    for session, resumption in sessions.items():
        main = resumption is None or not resumption.fork
        yield Stop(session, NodeKind.SESSION, resumption.handoff_id if resumption else None, main)
    for link in links:
        level = "bad" if link.status == HandoffStatus.FAILED else level_of_score(link.fidelity_score)
        main = course[link.conversation_id] == link.id
        yield Stop(link.id, NodeKind.HANDOFF, link.conversation_id, main, level, link.resumed_at is not None)


def _hops(links: Sequence[Handoff], drawn: ChainPicture) -> Sequence[Hop]:
    handoffs = {link.id: link for link in links}
    opened = {resumption.conversation_id: resumption for link in links for resumption in link.resumptions.all()}
    sessions: Mapping[UUID, Conversation] = {link.conversation_id: link.conversation for link in links} | {
        key: resumption.conversation for key, resumption in opened.items()
    }
    hops = []
    for placed in drawn.placed:
        key = placed.stop.id
        hops.append(Hop(placed, sessions.get(key), handoffs.get(key), opened.get(key)))
    return hops
