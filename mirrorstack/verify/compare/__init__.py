"""The comparison: two stages, then the decision what each unmatched record means.

1. `digests` reduces each partition to digests of buckets, and `buckets` compares them.
2. Buckets that differ (`unproven_buckets`) are read again and matched record by record: `log_diff`
   with Spark, `small_diff` and `occurrences` without it where the records are few,
   `compacted_diff` by key.

**`classification` decides whether an unmatched record is missing, behind, unexpected, duplicated or
altered**; `differences` defines these outcomes. `comparison` runs both stages for a flow. `proofs`
stores what was found equal, and `incremental` reads only what is new since then.
"""
