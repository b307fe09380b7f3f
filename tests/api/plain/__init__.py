"""Calls that are answered beside the site."""
