"""The governor: whether a session's knowledge should be secured now, or its window be begun anew. Pure."""

from handoffs.governor.governor import Governed, GovernorAction, GovernorPolicy, Pressure, govern

__all__ = ["Governed", "GovernorAction", "GovernorPolicy", "Pressure", "govern"]
