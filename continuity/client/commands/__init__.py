"""One module for each command of `continuity`."""
