"""The operators' view of what is remembered; one file for each area."""

from continuity.admin import accounts, conversations, keys, knowledge, operation

__all__ = ["accounts", "conversations", "keys", "knowledge", "operation"]
