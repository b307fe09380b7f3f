"""Handoff notes over the API."""

from handoffs.api.notes.routes import router

__all__ = ["router"]
