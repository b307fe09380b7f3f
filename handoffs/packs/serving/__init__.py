"""Which packs a turn is given, under which keys they are kept, and what a request names. Pure."""
