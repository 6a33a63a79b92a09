"""Options of a verification."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.flows import FlowSettings
from mirrorstack.verify.verification import VerifyOptions


def flow(**more: Any) -> FlowSettings:
    return FlowSettings.model_validate({"from": "east", "to": "west", "topics": ["orders"], **more})


def test_the_option_overrides_the_declared_rpo() -> None:
    declared = flow(**{"rpo-seconds": 60})

    assert VerifyOptions().rpo(flow()) is None
    assert VerifyOptions().rpo(declared) == 60
    assert VerifyOptions(rpo_seconds=0).rpo(declared) == 0
