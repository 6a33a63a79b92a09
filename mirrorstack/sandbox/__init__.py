"""Two real Kafka clusters on this machine, the embedded default."""
