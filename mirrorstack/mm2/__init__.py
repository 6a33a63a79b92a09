"""Settings and everything that is derived from them."""
