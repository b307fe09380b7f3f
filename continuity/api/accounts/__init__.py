"""What the API knows of people and their keys."""
