"""A Pulumi program of your own that replicates invoices from one cluster to another."""

import pulumi

from components.program import prepare, report_errors
from components.stack import MirrorStack, MirrorStackArgs
from mirrorstack.config.settings import parse

config = pulumi.Config()
sandbox = config.get("sandbox", "default")

with report_errors():
    settings = parse(
        {
            "clusters": {
                "east": {"sandbox": sandbox, "acls": "shared", "read-only": True},
                "west": {"sandbox": sandbox, "acls": "shared"},
            },
            "flows": [
                {
                    "from": "east",
                    "to": "west",
                    "topics": ["invoices-.*"],
                    "groups": ["billing-.*"],
                }
            ],
            "workers": {"west": {"group": "invoices"}},
        },
        file=__file__,
    )
    mirror = MirrorStack("invoices", MirrorStackArgs(deployment=prepare(settings)))

pulumi.export("topics", mirror.flows["east-to-west"]["topics"])
