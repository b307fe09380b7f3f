"""Telling of the demo what no session of a person's tool tells: its agents, a group of them, and packs of its repository."""
