"""The pages about what is carried on."""

from continuity.views import team_links
from handoffs.models import Handoff, HandoffChain

team_links.register("handoff_id", Handoff)
team_links.register("chain_id", HandoffChain)
