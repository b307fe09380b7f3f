"""Agents in Python that don't die (docs/agents.md). Standard library only."""

from continuity.client.agents.agent import Agent
from continuity.client.agents.groups import GroupTurn, TurnOver
from continuity.client.agents.state import StateDiffers
from continuity.client.events import AnotherInstance, ReceivedEvent

__all__ = ["Agent", "AnotherInstance", "GroupTurn", "ReceivedEvent", "StateDiffers", "TurnOver"]
