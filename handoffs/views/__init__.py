"""The pages about what is carried on."""

from continuity.views import elsewhere
from handoffs.models import Handoff, HandoffChain

elsewhere.register("handoff_id", Handoff)
elsewhere.register("chain_id", HandoffChain)
