"""The operators' view of what is handed over; one file for each area."""

from handoffs.admin import handoffs, packs

__all__ = ["handoffs", "packs"]
