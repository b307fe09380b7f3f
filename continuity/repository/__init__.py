"""A repository as it stands: identity, files, history, symbols. Reads only, with bounds everywhere; the standard library alone."""
