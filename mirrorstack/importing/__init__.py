"""From what runs MirrorMaker today to a stack file, and a word about all that it cannot hold.

`found` (flows as Connect would see them, from any source), `flows` and `clusters` (their settings),
`stack` (the file).
"""
