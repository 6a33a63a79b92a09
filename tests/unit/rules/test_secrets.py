"""Secrets in plain text."""

from __future__ import annotations

from mirrorstack.rules.secrets import no_plain_secrets_in_workers
from mirrorstack.rules.subjects import NamedWorker


def test_a_plain_secret_is_found_and_not_shown() -> None:
    config = {"ssl.key.password": "hunter2", "sasl.password": "${file:/x:y}"}
    (finding,) = no_plain_secrets_in_workers.findings(NamedWorker("w", config))

    assert finding.path == ("ssl.key.password",)
    assert "hunter2" not in str(finding)
