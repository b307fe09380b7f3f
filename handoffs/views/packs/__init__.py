"""The pages about repositories, their packs, and what was captured."""
