"""When operators are told, and how. The rules are pure; a channel is a module with one function."""
