"""Packs of a team's repositories: what sessions taught, the caches, the governor's state, what is captured and reviewed."""
