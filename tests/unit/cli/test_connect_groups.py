"""The Connect groups of a stack, from its state."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.cli.connect_groups import DeployedGroup, deployed_groups
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.findings import UserError
from mirrorstack.planning.previous_state import WORKERS_TYPE


def workers(**outputs: Any) -> dict[str, Any]:
    return {"type": WORKERS_TYPE, "outputs": {"target": "west", "group": "g", **outputs}}


def test_each_group_has_its_address_and_credentials() -> None:
    state = {
        "resources": [
            {"type": "kafka:index/topic:Topic", "outputs": {"rest_url": "no"}},
            workers(rest_url="http://127.0.0.1:1", credentials_file="/c.json"),
            workers(rest_url="http://connect:8083", target="east"),
        ]
    }

    assert deployed_groups(state, "dr") == [
        DeployedGroup("west", "http://127.0.0.1:1", RestLogin(credentials_file="/c.json")),
        DeployedGroup("east", "http://connect:8083"),
    ]


@pytest.mark.parametrize("state", [{}, {"resources": None}, {"resources": [workers()]}])
def test_a_stack_without_workers_is_an_error(state: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="stack dr has no deployed Connect workers") as raised:
        deployed_groups(state, "dr")

    assert raised.value.fix == "run `pulumi up -s dr`"


def test_a_group_without_credentials_has_a_client() -> None:
    group = DeployedGroup("west", "http://connect:8083")

    assert group.client(lambda _: "").url == "http://connect:8083"


def test_workers_without_a_rest_api_are_named() -> None:
    dedicated = workers(rest_url="http://127.0.0.1:1", naming="dedicated")

    with pytest.raises(UserError, match="workers of stack dr at west have no REST API"):
        deployed_groups({"resources": [dedicated]}, "dr")

    both = {"resources": [dedicated, workers(rest_url="http://connect:8083", target="east")]}
    assert [group.target for group in deployed_groups(both, "dr")] == ["east"]
