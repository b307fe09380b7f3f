"""Making a back-up beside everything that runs, checking it, and restoring it."""
