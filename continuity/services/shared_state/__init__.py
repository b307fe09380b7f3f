"""State that agents share (FR-022 to FR-026): one way to write it, its versions, what changed since a position."""
