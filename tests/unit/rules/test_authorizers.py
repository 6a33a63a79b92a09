"""Clusters of production stacks on which nobody manages ACLs."""

from __future__ import annotations

import pytest

from mirrorstack.rules.authorizers import clusters_have_authorizers
from mirrorstack.rules.subjects import ProductionAcls


@pytest.mark.parametrize("mode", ["managed", "shared", "exported"])
def test_managed_acls_are_fine(mode: str) -> None:
    assert list(clusters_have_authorizers.findings(ProductionAcls("west", mode, mode))) == []


def test_brokers_without_an_authorizer_are_a_warning() -> None:
    acls = ProductionAcls("west", "none", declared="managed")

    (finding,) = clusters_have_authorizers.findings(acls)

    assert finding.message.startswith("The brokers of west have no authorizer")
    assert (finding.severity, finding.cluster) == ("warning", "west")


def test_acls_that_nobody_manages_on_purpose_are_a_warning_of_their_own() -> None:
    (finding,) = clusters_have_authorizers.findings(ProductionAcls("west", "none", "none"))

    assert finding.message.startswith("clusters.west.acls is `none`")
    assert finding.path == ("clusters", "west", "acls")
