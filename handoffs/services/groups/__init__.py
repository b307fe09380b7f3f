"""What groups need of handoffs: briefings for late joiners, and the handoff of a whole group."""
