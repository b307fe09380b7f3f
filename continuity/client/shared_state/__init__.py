"""State that agents share, from Python (docs/states.md). Standard library only."""

from continuity.client.shared_state.change import StateConflict
from continuity.client.shared_state.shared import SharedState, WrittenValue

__all__ = ["SharedState", "StateConflict", "WrittenValue"]
