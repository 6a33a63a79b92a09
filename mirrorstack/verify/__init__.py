"""Verification: compares the records of source and target by content, on Spark.

| package | what is in it |
|---|---|
| `reading/` | topics, offset ranges, records, MirrorMaker's internal topics, Spark |
| `compare/` | which records are missing, unexpected, duplicated, altered or reordered |
| `groups/` | whether consumer groups can resume on the target |
| `history/` | lag, rate and latency over time; losses that a comparison cannot see |
| `report/` | findings, verdict, report.json, report.html and the table in the terminal |

`verification.py` runs it for all flows of a stack. `request.py` and `job.py` run it in a process of
its own for `pulumi up`. Imports point one way: reading < compare < groups, history < report <
verification.
"""
