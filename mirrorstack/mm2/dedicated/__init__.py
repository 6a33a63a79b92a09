"""MirrorMaker in dedicated mode: its config, which keys it reads, and what it makes of them."""
