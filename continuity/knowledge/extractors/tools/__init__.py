"""Reading deeds: what tool calls and their results show, one module for each kind of evidence."""
