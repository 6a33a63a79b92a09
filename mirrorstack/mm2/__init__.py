"""What MirrorMaker 2 is: names, connector and worker configs, required ACLs, and Kafka's keys."""
