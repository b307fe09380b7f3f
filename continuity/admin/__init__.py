"""The operators' view of what is remembered; one file for each area."""

from continuity.admin import (
    accounts,
    agents,
    audit,
    bus,
    client_codes,
    conversations,
    events,
    groups,
    keys,
    knowledge,
    log_lines,
    operation,
    shared_states,
    stored_states,
)

__all__ = [
    "accounts",
    "agents",
    "audit",
    "bus",
    "client_codes",
    "conversations",
    "events",
    "groups",
    "keys",
    "knowledge",
    "log_lines",
    "operation",
    "shared_states",
    "stored_states",
]
