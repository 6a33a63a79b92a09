"""Finds or installs what the project needs: Pulumi, its plugins, Kafka's and Spark's jars.

Only the standard library, `mirrorstack.findings`, `mirrorstack.console`, and `files` and `lock` of
`mirrorstack.local`: this runs before anything is installed. One module per part; `part.py` defines
how a part is found, downloaded or built.
"""
