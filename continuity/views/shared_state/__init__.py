"""The pages about state that agents share."""
