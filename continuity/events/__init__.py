"""The bus without its store: topics and patterns, replay policies, delays, schemas, signatures, latency. Pure."""
