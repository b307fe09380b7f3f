"""The file of a back-up: what is in it, how it is protected, and how it is checked. Pure."""
