"""Fits the chance that a term is used again, on what sessions themselves went on to use: no labels. Pure."""
