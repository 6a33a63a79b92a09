"""Mirrorstack's Pulumi program: settings in, components, outputs out."""

from __future__ import annotations

import pulumi

from components.program import one_message, stack_config
from components.stack import MirrorStack

with one_message():
    stack = MirrorStack("mirrorstack", stack_config())
    pulumi.export("flows", stack.flows)
    pulumi.export("grants", stack.grants)
    pulumi.export("internal-topics", stack.internal_topics)
    pulumi.export("connect", stack.connect)
