"""What the policy tests share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pulumi_policy import PolicyResource

from mirrorstack.local.home import ROOT
from policies.resources import addresses, plain
from tests.pulumi_project import PulumiProject
from toolchain import receipt
from toolchain.shell import pulumi_home

PACK = ROOT / "policies"

# Declares what its config lists. A preview of a creation connects to no cluster.
PROGRAM = """
    import re

    import pulumi
    import pulumi_kafka as kafka
    from components.connector import Connector, ConnectorArgs
    from mirrorstack.connect.rest_login import RestLogin

    class Component(pulumi.ComponentResource):
        def __init__(self, kind, name, props):
            super().__init__(kind, name, props)
            self.register_outputs(props)

    def snake(props):
        return {re.sub("[A-Z]", lambda m: "_" + m[0].lower(), key): props[key] for key in props}

    providers, flows = {}, {}

    def on(address):
        if address not in providers:
            providers[address] = kafka.Provider(address, bootstrap_servers=[address])
        return pulumi.ResourceOptions(provider=providers[address])

    def known_later(config):
        later = on("x:9093").provider.id
        return {key: later if config[key] == "UNKNOWN" else config[key] for key in config}

    def make(name, kind, props, at, case):
        rest_url = f"http://127.0.0.1:{case + 1}"
        if kind.endswith(":Connector"):
            if case not in flows:
                flows[case] = Component("mirrorstack:index:MirrorFlow", f"flow-{case}", {})
            args = ConnectorArgs(rest_url=rest_url, name=props["name"],
                config=known_later(props["config"]),
                login=RestLogin(credentials_file="/nowhere"))
            return Connector(name, args, pulumi.ResourceOptions(parent=flows[case]))
        if kind.endswith(":ConnectWorkers"):
            workers = [{**worker, "rest_url": rest_url} for worker in props["workers"]]
            return Component(kind, name, {"workers": workers})
        if kind.endswith(":Topic"):
            return kafka.Topic(name, partitions=1, **snake(props), opts=on(at))
        if kind.endswith(":Acl"):
            return kafka.Acl(name, acl_host="*", **snake(props), opts=on(at))
        if kind.startswith("pulumi:providers:"):
            return kafka.Provider(name, bootstrap_servers=["x:9093"], **snake(props))
        return Component(kind, name, props)

    for number, each in enumerate(pulumi.Config().require_object("made")):
        make(f"it-{number}", each["type"], each["props"], each["at"], each["case"])
"""


@pytest.fixture
def project(tmp_path: Path) -> PulumiProject:
    """A program that declares what its config lists, to preview with the pack."""
    pulumi = receipt.read(ROOT / ".mirrorstack")["pulumi"].path
    project = PulumiProject(tmp_path, name="shop", pulumi=pulumi, pulumi_home=pulumi_home())
    project.write("__main__.py", PROGRAM)
    return project


def listed(*cases: Sequence[PolicyResource]) -> list[dict[str, Any]]:
    """For the program's config; the connectors of each case are a flow of their own."""
    return [
        {
            "type": each.resource_type,
            "props": plain(each.props),
            "at": min(addresses(each.provider.props)) if each.provider else "",
            "case": number,
        }
        for number, case in enumerate(cases)
        for each in case
    ]


def preview(
    project: PulumiProject,
    *cases: Sequence[PolicyResource],
    options: Sequence[str] = (),
    fails: bool = True,
) -> str:
    """The output of the real engine for these resources."""
    project.configure({"made": listed(*cases)})
    return project.pulumi("preview", f"--policy-pack={PACK}", *options, fails=fails)
