"""The live stream: one connection for each reader, which hears of events as they happen and holds nothing else meanwhile."""
