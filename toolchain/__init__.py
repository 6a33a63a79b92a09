"""How a machine without Pulumi, its plugins or Kafka gets them.

Only the standard library and `mirrorstack.problem`/`mirrorstack.console`: this runs before anything
is installed. One file per part; `part.py` is the shared way to say "have it / fetch it / build it".
"""
