"""What the policy tests share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.pulumi_project import PulumiProject
from toolchain import receipt
from toolchain.setup import ROOT
from toolchain.shell import pulumi_home

PACK = ROOT / "policies"

# Makes what its config lists. Nothing listens there: a preview of a creation asks no cluster.
PROGRAM = """
    from pathlib import Path

    import pulumi
    import pulumi_kafka as kafka
    from components.connectors import Connector, ConnectorArgs
    from components.local_workers import LocalWorkerProcess

    declared = pulumi.Config().get_object("stack", {})
    made = pulumi.Config().get_object("made", {})

    class Component(pulumi.ComponentResource):
        def __init__(self, kind, name, props):
            super().__init__(f"mirrorstack:index:{kind}", name, props)
            self.register_outputs(props)

    if declared:
        Component("MirrorStack", "mirrorstack", declared)
    flow = pulumi.ResourceOptions(parent=Component("MirrorFlow", "flow", {}))
    at = {}
    for alias, how in made.get("providers", {}).items():
        provider = kafka.Provider(alias, **{"bootstrap_servers": [f"{alias}:9093"], **how})
        at[alias] = pulumi.ResourceOptions(provider=provider)
    for number, topic in enumerate(made.get("topics", [])):
        alias = topic.pop("at", "west")
        kafka.Topic(f"topic-{number}", partitions=1, **topic, opts=at[alias])
    for number, acl in enumerate(made.get("acls", [])):
        alias = acl.pop("at", "west")
        kafka.Acl(f"acl-{number}", acl_host="*", acl_permission_type="Allow", **acl, opts=at[alias])
    for number, config in enumerate(made.get("workers", [])):
        LocalWorkerProcess(f"worker-{number}", directory=Path("nowhere"), config=config,
            passwords={}, rest_url="http://127.0.0.1:9", heap_mb=512)
    for name, config in made.get("connectors", {}).items():
        args = ConnectorArgs(rest_url="http://127.0.0.1:9", name=name, config=config,
            credentials_file="/nowhere")
        Connector(name, args, flow)
"""


@pytest.fixture
def project(tmp_path: Path) -> PulumiProject:
    """A program that makes what its config lists, to preview under the pack."""
    pulumi = receipt.read(ROOT / ".mirrorstack")["pulumi"].path
    project = PulumiProject(tmp_path, name="shop", pulumi=pulumi, pulumi_home=pulumi_home())
    project.write("__main__.py", PROGRAM)
    return project


def preview(
    project: PulumiProject,
    *options: str,
    fails: bool = True,
    stack: Mapping[str, Any] | None = None,
    **made: Any,
) -> str:
    """What the real engine says about a declared stack and resources."""
    project.configure({"stack": stack or {}, "made": made})
    return project.pulumi("preview", f"--policy-pack={PACK}", *options, fails=fails)
