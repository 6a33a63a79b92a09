"""Kafka brokers: the admin client, the offset-range reader, ACLs, and the clients' errors.

The clients are confluent-kafka's, on librdkafka. `admin` has all requests about a cluster,
`offset_ranges` reads records; both translate the client's errors in `errors`.
"""
