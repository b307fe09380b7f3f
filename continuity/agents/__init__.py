"""Agents without their store: statuses, strategies, who is silent, who hangs, when a team is in degradation. Pure."""
