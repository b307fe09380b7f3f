"""Whether a context tells a successor what is so now, and keeps apart what is over."""
