"""What a verification found, for people, programs and the next run.

- `codes`: every kind of finding, with its severity and its effect on the verdict
- `verdict`: the findings of a flow, and the state of a partition
- `report`: the values of report.json; `schema`: its JSON schema; `files`: reading and writing it
- `page`: report.html from the templates in `templates/`; `charts`, `history_section`: its charts
- `summary`: the tables in the terminal
"""
