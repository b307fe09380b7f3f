"""How much is kept of what callers send, where several of service, API, MCP and client hold to it."""
