"""Calls that come all the time, answered beside the site where nothing is the matter with them."""
