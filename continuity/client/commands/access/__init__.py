"""Commands that connect the client, and say how it stands."""
