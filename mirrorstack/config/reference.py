"""The page about stack files, written from the settings, so that it cannot be out of date."""

from __future__ import annotations

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from mirrorstack.config.clusters import ClusterSettings, PrincipalSettings, SecuritySettings
from mirrorstack.config.flows import FlowSettings, OverrideSettings
from mirrorstack.config.settings import SmokeTestSettings, StackSettings, WorkerSettings
from mirrorstack.connect.protocol import ConnectorState

OPENING = """\
# The stack file

One file per environment, `stacks/Pulumi.<stack>.yaml`. The smallest one:

```yaml
# yaml-language-server: $schema=schema.json
config:
  mirrorstack:clusters:
    east: {sandbox: default}
    west: {sandbox: default}
  mirrorstack:flows:
    - {from: east, to: west, topics: [orders]}
```

One with clusters of your own:

```yaml
# yaml-language-server: $schema=schema.json
config:
  mirrorstack:clusters:
    east:
      bootstrap-servers: [kafka-1.east.example:9093, kafka-2.east.example:9093]
      security: {ca-file: certs/east.pem}
      principals: {mirror: mirrorstack}
      administer: false        # its owner gets the grants as commands
      read-only: true
    west:
      bootstrap-servers: [kafka-1.west.example:9093]
      brokers: 3
      security: {ca-file: certs/west.pem}
      principals: {mirror: mirrorstack, admin: platform}
  mirrorstack:flows:
    - from: east
      to: west
      topics: [orders, payments-.*]
      groups: [billing]
```

and its passwords, which Pulumi asks for and keeps encrypted in the same file:

```
pulumi config set --secret east-mirror-password
pulumi config set --secret west-mirror-password
pulumi config set --secret west-admin-password
```

`pulumi preview -s <stack>` resolves the patterns against the source and lists what would be made.
A topic that is created later is
mirrored from the next `pulumi up` on: what is mirrored is always what a preview has shown.
Unknown keys are errors. With the first line, editors complete and check the rest.
This page is generated: `make docs`.
"""

SECTIONS: dict[str, type[BaseModel]] = {
    "Below `mirrorstack:`": StackSettings,
    "`clusters.<alias>`": ClusterSettings,
    "`clusters.<alias>.security`": SecuritySettings,
    "`clusters.<alias>.principals`": PrincipalSettings,
    "`flows[]`": FlowSettings,
    "`flows[].override`": OverrideSettings,
    "`workers.<alias>`": WorkerSettings,
    "`smoke-test`": SmokeTestSettings,
}


def stack_file_page() -> str:
    tables = [f"## {title}\n\n{_about(model)}{_table(model)}" for title, model in SECTIONS.items()]
    return "\n".join([OPENING, *tables])


def _about(model: type[BaseModel]) -> str:
    return f"{model.__doc__.strip()}\n\n" if model.__doc__ else ""


def _table(model: type[BaseModel]) -> str:
    rows = [
        f"| `{field.alias or name}` | {_default(field)} | {_one_line(field.description)} |"
        for name, field in model.model_fields.items()
    ]
    return "\n".join(["| key | default | meaning |", "|---|---|---|", *rows, ""])


def _default(field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    if default is PydanticUndefined:
        return "required"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if default is None or default == () or default == {} or isinstance(default, BaseModel):
        return "none"
    return f"`{default.value if isinstance(default, ConnectorState) else default}`"


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())
