"""The smoke test as a resource."""

from __future__ import annotations

from typing import Any

import pytest
from pulumi.dynamic import ConfigureRequest
from pulumi.dynamic.config import Config

from components import smoke_test
from components.smoke_test import SmokeTest, SmokeTestArgs, SmokeTestProvider
from mirrorstack.verify.request import VerifyRequest
from tests.unit.components.declaring import declare
from tests.unit.planning.fake_clusters import sandbox_connection
from tests.unit.planning.test_connections import by_address

CONFIG = Config(
    {"shop:east-mirror-password": "hunter2", "shop:east-admin-password": "hunter3"}, "shop"
)


@pytest.fixture
def props() -> dict[str, Any]:
    args = SmokeTestArgs(
        stack="dev", settings=by_address(), directory="/reports", triggers={"flow": ["orders"]}
    )
    return declare(lambda: SmokeTest("it", args)).resources["it"].inputs


def test_passwords_are_resolved_when_it_runs_and_kept_nowhere(
    props: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    requests: list[VerifyRequest] = []

    def run(request: VerifyRequest) -> str:
        requests.append(request)
        return "equal"

    monkeypatch.setattr(smoke_test, "run", run)
    monkeypatch.setattr(smoke_test, "sandbox_connection", sandbox_connection)
    provider = SmokeTestProvider()
    provider.configure(ConfigureRequest(CONFIG))

    outputs = provider.create(props).outs or {}

    assert outputs["summary"] == "equal"
    assert requests[0].connections["east"]["mirror"]["password"] == "hunter2"
    assert "hunter" not in str(outputs)


def test_it_verifies_again_when_a_flow_or_a_setting_changes(props: dict[str, Any]) -> None:
    provider = SmokeTestProvider()

    assert provider.diff("it", props, dict(props)).changes is False
    assert provider.diff("it", props, props | {"triggers": {"flow": []}}).changes is True
    assert provider.diff("it", props, props | {"settings": "{}"}).changes is True
    elsewhere = props | {"directory": "/home/of/another/machine"}
    assert provider.diff("it", props, elsewhere).changes is False
