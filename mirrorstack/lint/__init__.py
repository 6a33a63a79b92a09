"""Other people's files: MirrorMaker's, Connect's, Strimzi's and our own, read and judged.

From the inside out: `located` (values with the lines they stand on), `reading` (which kind of file
it is), one module per kind (`properties_files`, `connector_files`, `strimzi`, `stack_files`) that
judges with `mirrorstack.model`, `together` (what several files come to), and `reports` (text, JSON,
SARIF).
"""
