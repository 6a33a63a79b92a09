"""Mirrorstack's Pulumi program: settings, preflight, components, outputs."""

from __future__ import annotations

import pulumi

from components.program import prepare, read_config, report_errors
from components.stack import MirrorStack, MirrorStackArgs

with report_errors():
    config = read_config()
    deployment = prepare(config.settings, config.peers)
    stack = MirrorStack("mirrorstack", MirrorStackArgs(deployment=deployment))
    pulumi.export("flows", stack.flows)
    pulumi.export("acls", stack.acls)
    pulumi.export("internal-topics", stack.internal_topics)
    pulumi.export("connect", stack.connect)
