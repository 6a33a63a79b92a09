"""What is read from both clusters.

- `scope`: the topics of a flow and their target topics
- `flow_endpoints`: both clusters of a flow, with clients and readers
- `offset_ranges`: which offsets of each partition are compared
- `catch_up`: waits until the target has the newest records of the source
- `records`: records as Spark data frames, and the hashes that make two of them equal
- `internal_topics`: offset syncs, checkpoints and heartbeats of MirrorMaker
- `session`: the Spark session; `local_frames`: small data frames from local rows
"""
