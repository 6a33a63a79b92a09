"""A stack file from an existing MirrorMaker 2 deployment.

`origins` (files, or a running Connect), `discovered_flows` (flows with their connector configs,
from any origin), `flows`, `unmapped_keys` and `clusters` (their settings), `stack` (the stack
file). What a stack file cannot express is reported as notes.
"""
