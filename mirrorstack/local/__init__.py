"""This machine: the home directory, files, locks, processes, ports, logs, Kafka's jars."""
