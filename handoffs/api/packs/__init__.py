"""Packs, repositories and captured memory over the API."""

from ninja import Router

from handoffs.api.packs import asking, repositories

router = Router(tags=["packs"])
router.add_router("", asking.router)
router.add_router("", repositories.router)

__all__ = ["router"]
