"""In production, the brokers authorize what MirrorMaker does."""

from __future__ import annotations

from collections.abc import Iterator

from mirrorstack.findings import Finding
from mirrorstack.rules.rule import Level, rule
from mirrorstack.rules.subjects import ProductionAcls

NONE = "none"


@rule(
    ProductionAcls,
    id="clusters-have-authorizers",
    title="In production, the ACLs of MirrorMaker's principal should be managed on every cluster.",
    reason="Without an authorizer, whoever reaches a broker can read and write all of its topics.",
    level=Level.ADVISORY,
)
def clusters_have_authorizers(acls: ProductionAcls) -> Iterator[Finding]:
    if acls.mode != NONE:
        return
    key = f"clusters.{acls.cluster}"
    if acls.declared == NONE:
        message = (
            f"{key}.acls is `none`: this stack does not know whether the brokers of {acls.cluster} "
            "limit what MirrorMaker's principal may do"
        )
        fix = "use `managed`, `shared` or `exported`"
    else:
        message = (
            f"The brokers of {acls.cluster} have no authorizer: every client can read and write "
            "all topics, and MirrorMaker's principal, too"
        )
        fix = "set `authorizer.class.name` on the brokers, and deploy again: the ACLs are derived"
    yield Finding(
        message,
        f"{fix}; the rule applies to stacks that are `production: true`",
        cluster=acls.cluster,
        path=("clusters", acls.cluster, "acls"),
    )


RULES = (clusters_have_authorizers,)
