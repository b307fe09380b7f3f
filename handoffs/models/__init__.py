"""What is stored about handoffs; one file for each noun."""

from handoffs.models.chains import HandoffChain
from handoffs.models.edits import EditAction, EditTarget, HandoffEdit
from handoffs.models.handoffs import Handoff, HandoffStatus
from handoffs.models.policies import HandoffPolicy
from handoffs.models.receipts import Receipt
from handoffs.models.resumptions import Resumption
from handoffs.models.tombstones import HandoffTombstone

__all__ = [
    "EditAction",
    "EditTarget",
    "Handoff",
    "HandoffChain",
    "HandoffEdit",
    "HandoffPolicy",
    "HandoffStatus",
    "HandoffTombstone",
    "Receipt",
    "Resumption",
]
