"""The pages about groups."""
