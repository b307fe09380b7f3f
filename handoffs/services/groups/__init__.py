"""The handoffs that groups need: briefings for late joiners, and the handoff of a whole group."""
