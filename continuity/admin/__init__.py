"""The operators' view of what is remembered; one file for each area."""

from continuity.admin import accounts, audit, bus, conversations, keys, knowledge, operation

__all__ = ["accounts", "audit", "bus", "conversations", "keys", "knowledge", "operation"]
