"""A chain as a tree: which handoff was resumed where, and which way is a branch."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from handoffs.models import Handoff, HandoffChain, Resumption
from handoffs.services.chains import chains


@dataclass(frozen=True, slots=True)
class Way:
    """A resumption, and the branch that its conversation is on."""

    resumption: Resumption
    branch: int


@dataclass(frozen=True, slots=True)
class Node:
    """A handoff, the branch that it is on (0 is the trunk), and the ways that lead on from it."""

    handoff: Handoff
    branch: int
    ways: Sequence[Way]


@dataclass(frozen=True, slots=True)
class ChainTree:
    """The handoffs by position. `longest` is how many follow one another, `conversations` counts those that stand in it, `tokens_carried`
    adds up what the directives took."""

    nodes: Sequence[Node]
    branches: int
    conversations: int
    longest: int
    resumptions: int
    tokens_carried: int


def tree_of(chain: HandoffChain) -> ChainTree:
    """The whole chain. Two queries. The first to go on from a conversation stays on its branch, each later one opens another."""
    members = chains.members(chain)
    resumed: dict[UUID, list[Resumption]] = defaultdict(list)
    rows = Resumption.objects.filter(handoff__chain=chain).select_related("conversation", "receipt")
    unread = ("report", "conversation__metadata", "receipt__acknowledged", "receipt__workspace", "receipt__moved")
    for row in rows.defer(*unread).order_by("created_at", "id"):
        resumed[row.handoff_id].append(row)
    branch_of = {chain.root_conversation_id: 0}
    continued: set[UUID] = set()
    branches, nodes = 1, []
    for handoff in members:
        branch = branch_of.setdefault(handoff.conversation_id, 0)
        ways = []
        for row in resumed[handoff.id]:
            if handoff.conversation_id in continued:
                branch_of[row.conversation_id] = branches
                branches += 1
            else:
                branch_of[row.conversation_id] = branch
                continued.add(handoff.conversation_id)
            ways.append(Way(row, branch_of[row.conversation_id]))
        nodes.append(Node(handoff, branch, ways))
    return ChainTree(
        nodes=nodes,
        branches=branches,
        conversations=len(branch_of),
        longest=max((handoff.position for handoff in members), default=0),
        resumptions=sum(len(node.ways) for node in nodes),
        tokens_carried=sum(handoff.token_count for handoff in members),
    )
