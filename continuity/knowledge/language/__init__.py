"""Reading words: sentences with exact spans, cue rules, subjects, and who asks, promises or accepts what."""
