"""What is stored about handoffs; one file for each noun."""

from handoffs.models.chains import HandoffChain
from handoffs.models.handoffs import Handoff, HandoffStatus
from handoffs.models.resumptions import Resumption
from handoffs.models.tombstones import HandoffTombstone

__all__ = ["Handoff", "HandoffChain", "HandoffStatus", "HandoffTombstone", "Resumption"]
