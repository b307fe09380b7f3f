"""The operators' view of what is handed over; one file for each area."""

from handoffs.admin import chains, fidelity, handoffs, notes, packs, policies

__all__ = ["chains", "fidelity", "handoffs", "notes", "packs", "policies"]
