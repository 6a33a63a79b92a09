"""Which flows are checked for a gap before they resume."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.clusters import Role
from mirrorstack.findings import UserError
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.planning.checks import resume
from mirrorstack.planning.checks.resume import check_resumes
from mirrorstack.planning.plan import plan
from tests.unit.planning.fake_clusters import FakeClusters, Held, holding, stack_settings


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, set[str]]]:
    """The flows and topics that were checked."""
    found: list[tuple[str, set[str]]] = []

    def check(flow: Any, _last: object, topics: set[str], *_: object) -> None:
        found.append((flow.name, topics))

    monkeypatch.setattr(resume, "check_resume", check)
    monkeypatch.setattr(FakeClusters, "seen", lambda self, alias: self.cluster(alias, Role.MIRROR))
    return found


def check(
    *on_the_target: str, is_deployed: bool = False, connector: str = "east-to-west-source"
) -> None:
    settings = stack_settings({"from": "east", "to": "west", "topics": ["orders", "clicks"]})
    held = Held(
        {"east": holding("orders", "clicks"), "west": holding(*on_the_target)},
        offsets={connector: {TopicPartition("orders", 0): 41}},
    )
    clusters = FakeClusters(settings, held)
    check_resumes(
        plan(settings, clusters.inventories()),
        clusters,
        delete_topics=False,
        is_deployed=lambda _flow: is_deployed,
    )


def test_a_connector_with_offsets_is_checked_for_its_existing_target_topics(
    checked: list[tuple[str, set[str]]],
) -> None:
    check("mirrorstack-west-offsets", "east.orders")

    assert checked == [("east-to-west", {"orders"})]


def test_without_an_offsets_topic_nothing_can_resume(
    checked: list[tuple[str, set[str]]],
) -> None:
    check("east.orders")

    assert checked == []


def test_a_deployed_connector_is_checked_by_its_resource(
    checked: list[tuple[str, set[str]]],
) -> None:
    check("mirrorstack-west-offsets", "east.orders", is_deployed=True)

    assert checked == []


def test_offsets_under_the_name_of_another_deployment_are_not_ignored(
    checked: list[tuple[str, set[str]]],
) -> None:
    """After a destroy in dedicated mode."""
    with pytest.raises(UserError, match="was deployed in dedicated mode") as raised:
        check("mm2-offsets.east.internal", "east.orders", connector="MirrorSourceConnector")

    assert "in mm2-offsets.east.internal on west, under MirrorSourceConnector" in (
        raised.value.message
    )
    assert "deploy it in dedicated mode (`mode: dedicated`) once" in raised.value.fix


def test_offsets_of_another_deployment_do_not_matter_for_new_target_topics(
    checked: list[tuple[str, set[str]]],
) -> None:
    check("mm2-offsets.east.internal", connector="MirrorSourceConnector")

    assert checked == []
