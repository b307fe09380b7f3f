"""Agents: who is registered, who is heard of, what is done about those that fail."""
