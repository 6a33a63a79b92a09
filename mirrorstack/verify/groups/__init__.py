"""Consumer groups: whether they can resume on the target.

- `group_positions`: committed offsets and checkpoints of each group on both sides
- `group_check`: how many records a group would skip or read again
- `distances`: the same by counting, for partitions that are proven equal
"""
