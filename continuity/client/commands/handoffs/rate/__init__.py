"""continuity rate: what a reader of a received handoff says of it."""

from continuity.client.commands.handoffs.rate.rating import arguments, run

__all__ = ["arguments", "run"]
