"""Static checks of MirrorMaker, Connect, Strimzi and stack files. Nothing is contacted.

From the inside out: `document` (values and configs with line numbers), `json_document` and
`yaml_document` (parsers), one module per kind of file that applies `mirrorstack.rules`
(`properties_files`, `connector_files`, `strimzi`, `stack_files`, `shell_scripts`), `reader`
(detects the kind), `cross_file` (checks over several files) and `reports` (text, JSON, SARIF).
"""
