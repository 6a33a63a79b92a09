"""Rules about secrets: none in plain text, neither in a worker's file nor in Pulumi's state."""

from __future__ import annotations

from collections.abc import Iterator

from mirrorstack.connect.config import plain_secrets
from mirrorstack.findings import Finding
from mirrorstack.rules.rule import Level, Risk, rule
from mirrorstack.rules.subjects import (
    Config,
    NamedWorker,
    ProviderPasswords,
    WorkerPasswords,
)


def plain_secret_findings(name: str, config: Config) -> Iterator[Finding]:
    """`name` is of the connector or worker. Values are not shown."""
    for key in plain_secrets(config):
        yield Finding(
            f"{name}: {key} looks like a secret in plain text (its value is not shown). Connect "
            "stores it readable in its config topic, and Pulumi in its state",
            "store it where a config provider of the worker reads it, and refer to it, as in "
            "${file:/path/to/file:key}",
            path=(key,),
        )


# A connector's own check refuses plain secrets in its config before any policy runs.
@rule(
    NamedWorker,
    id="no-plain-secrets-in-workers",
    title="A worker's config must not hold a secret in plain text.",
    reason="It is readable in a file, and in Pulumi's state.",
    risk=Risk.CRITICAL,
)
def no_plain_secrets_in_workers(worker: NamedWorker) -> Iterator[Finding]:
    yield from plain_secret_findings(f"Worker {worker.name}", worker.config)


# Only a remediation sees whether an input is a secret, so the next two have nothing to check: the
# policy pack turns plain inputs into secrets.


@rule(
    ProviderPasswords,
    id="secret-provider-passwords",
    title="The password of a kafka provider must be a secret in the state.",
    reason="Everyone who can read the state administers the cluster. The policy pack corrects "
    "this.",
    risk=Risk.CRITICAL,
    level=Level.REMEDIATE,
)
def secret_provider_passwords(_passwords: ProviderPasswords) -> Iterator[Finding]:
    yield from ()


@rule(
    WorkerPasswords,
    id="secret-worker-passwords",
    title="The fingerprint of a worker's passwords must be a secret in the state.",
    reason="Whoever can read the state could guess a weak password from it. The policy pack "
    "corrects this.",
    risk=Risk.CRITICAL,
    level=Level.REMEDIATE,
)
def secret_worker_passwords(_passwords: WorkerPasswords) -> Iterator[Finding]:
    yield from ()


RULES = (no_plain_secrets_in_workers, secret_provider_passwords, secret_worker_passwords)
