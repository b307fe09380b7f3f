"""Commands about handoffs."""
