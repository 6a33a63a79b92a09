"""Two real Kafka clusters on this machine, with TLS, SASL and ACLs, and test data."""
