"""`make agents-demo`: agents that are killed, hang and are replaced before one's eyes."""
