"""Agents in the API: registering, beating, recovering, orders, lists."""
