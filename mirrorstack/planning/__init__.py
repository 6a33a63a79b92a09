"""Settings and cluster inventories in, a `Deployment` out: see `preflight`."""
