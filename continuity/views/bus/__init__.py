"""The pages of the bus."""
