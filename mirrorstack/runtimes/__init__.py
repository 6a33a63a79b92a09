"""Connect workers: where they run, and nothing else about them."""
