"""Packs with what sessions learned: rules, landmines and joint work of earlier sessions beside the repository's own state."""
