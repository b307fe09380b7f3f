"""The pages about agents."""
