"""`continuity agent run --name`: keeps an agent's process alive (docs/agents.md). Standard library only."""
