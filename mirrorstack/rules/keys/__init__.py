"""Rules about keys and values of connectors, workers, mm2.properties, overrides and commands."""
