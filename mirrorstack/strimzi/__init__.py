"""What a stack declares on Kafka clusters that Strimzi's operators run."""
