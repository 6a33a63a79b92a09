"""How a machine without Pulumi, its plugins or Kafka gets them.

Only the standard library, `mirrorstack.findings` and `mirrorstack.console`: this runs before
anything is installed. One file per part; `part.py` defines how a part is found, fetched or built.
"""
