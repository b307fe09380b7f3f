"""State that agents share, from Python (docs/states.md). Standard library only."""

from continuity.client.shared_state.shared import SharedState, StateConflict, WrittenValue

__all__ = ["SharedState", "StateConflict", "WrittenValue"]
