"""The decision to hand off: pure, from usage, window, tasks and policy."""

from handoffs.policy.decision import EVENT_APPROACHING, Decision, Hold, decide
from handoffs.policy.policy import Policy, Recent
from handoffs.policy.usage import WindowUsage

__all__ = ["EVENT_APPROACHING", "Decision", "Hold", "Policy", "Recent", "WindowUsage", "decide"]
