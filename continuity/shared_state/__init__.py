"""State that agents share and that is versioned (FR-022 to FR-026), without its store: values, differences, merging, decisions. Pure.

Not to be taken for an agent's own state (`continuity/storage`), which is one blob that only its present instance writes.
"""
