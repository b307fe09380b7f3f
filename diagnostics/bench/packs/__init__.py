"""The laboratory of packs: how long they take, what they cost a session, and what they spare it."""
