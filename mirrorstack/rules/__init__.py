"""Every rule about files and deployments, defined once: id, title, reason and check together.

`rule` has the type, `subjects` what checks receive, `registry` all families; every other module is
a family of rules. `keys/` has the rules about single keys of Kafka's own files. The rules about
what a deployment removes are in `mirrorstack.changes.rules`.
"""
