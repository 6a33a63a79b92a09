"""The stack of a policy pack."""

from __future__ import annotations

from pulumi.runtime.proto import analyzer_pb2

from toolchain.fallback.language_host.policy_pack import stack_variables


def test_the_stack_is_passed_to_a_policy_pack_in_environment_variables() -> None:
    request = analyzer_pb2.AnalyzerStackConfigureRequest(
        stack="dev", project="shop", dry_run=True, config={"shop:size": "3"}
    )
    assert stack_variables(request.SerializeToString()) == {
        "PULUMI_STACK": "dev",
        "PULUMI_PROJECT": "shop",
        "PULUMI_DRY_RUN": "true",
        "PULUMI_CONFIG": '{"shop:size": "3"}',
    }, "no organization, because a file backend has none"
