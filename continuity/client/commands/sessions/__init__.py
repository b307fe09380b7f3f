"""Commands about sessions and what is known of them."""
