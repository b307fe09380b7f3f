"""Our own directives: their grammar, shared with who writes them, and the reading of one that stands in a transcript."""
