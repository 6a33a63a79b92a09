"""A stack as configuration files of other tools: today mm2.properties of dedicated mode.

`dedicated` (the file), `flows` and `clusters` (its parts), `notes` (what the file cannot express).
"""
