"""People and their keys in the API."""
