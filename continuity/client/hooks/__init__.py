"""What a tool's hooks are answered. Whatever goes wrong here, the tool goes on as if nothing was installed."""
