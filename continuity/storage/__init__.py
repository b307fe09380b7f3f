"""Storage adapters (FR-022): where an agent's state is kept, behind one interface."""
