"""What MirrorMaker's offset syncs show about the past of a flow.

- `replication_history`: lag and rate over time
- `latency`: the time from a record's timestamp to its replication
- `freshness`: lag and heartbeat now, against the RPO
- `silent_loss`: records lost to retention or to a recreated topic, which no comparison can see
"""
