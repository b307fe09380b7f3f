"""Ratings of received handoffs over the API."""

from handoffs.api.ratings.routes import router

__all__ = ["router"]
