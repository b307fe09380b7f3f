"""Pages and answers about how the system does."""
