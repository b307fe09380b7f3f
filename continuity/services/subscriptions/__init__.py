"""The bus: publishing, subscriptions, handing events out, acknowledgements, webhooks."""
