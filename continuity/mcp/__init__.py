"""The MCP server: what an agent may ask of Continuity in the middle of its work, over standard input and output or HTTP."""
