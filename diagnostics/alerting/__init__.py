"""Alert rules and channels. The rules are pure; a channel is a module with one function."""
