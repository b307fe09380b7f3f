"""Geometry of the charts on the pages: plain numbers in, coordinates out; templates draw. Pure."""
