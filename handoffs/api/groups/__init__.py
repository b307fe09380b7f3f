"""Groups over the API."""

from handoffs.api.groups.groups import router
from handoffs.api.groups.turns import router as turns

router.add_router("", turns)

__all__ = ["router"]
