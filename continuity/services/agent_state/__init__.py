"""The state of agents (FR-009a): saved by its owner alone, given to whoever takes over."""

from continuity.services.agent_state.state_erasure import forget, redact
from continuity.services.agent_state.states import LoadedState, SavedState, begin, load, remove, save
from continuity.storage.state_digest import digest_of

__all__ = ["LoadedState", "SavedState", "begin", "digest_of", "forget", "load", "redact", "remove", "save"]
