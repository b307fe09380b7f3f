"""The bus in the API: publishing, topics, subscriptions, deliveries, dead letters."""
