"""Rules about the way to clusters and workers, for stacks that are `production: true`; secrets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

from pulumi_policy import EnforcementLevel, PolicyResource, Severity
from pulumi_policy.secret import Secret

from mirrorstack.findings import Finding
from mirrorstack.rules import connector_config as connector_rules
from mirrorstack.rules import declarations as judgements
from mirrorstack.rules import transport
from policies.rules import DeclaredRule, ResourceRule, Rule, StackRule
from policies.view import KAFKA_PROVIDER, WORKER, Config, Made

Client = tuple[str, Mapping[str, str]]


def _clients(made: Made) -> Iterator[Client]:
    if made.production:
        for connector in made.connectors:
            yield f"Connector {connector.name}", connector.config
        yield from _workers(made)


def _workers(made: Made) -> Iterator[Client]:
    for worker in made.workers if made.production else ():
        yield f"Worker {worker.name}", worker.config


def _unencrypted(client: Client) -> Iterator[Finding]:
    yield from transport.unencrypted(*client)


def _unchecked(client: Client) -> Iterator[Finding]:
    yield from connector_rules.without_hostname_check(*client)


def _open(worker: Client) -> Iterator[Finding]:
    yield from transport.open_listeners(*worker)


def _providers(made: Made) -> list[PolicyResource]:
    return made.typed(KAFKA_PROVIDER) if made.production else []


def _provider(provider: PolicyResource) -> Iterator[Finding]:
    # The plugin's defaults: TLS, with its check. Providers' inputs are texts.
    tls = str(provider.props.get("tlsEnabled", "true")).lower() != "false"
    checked = str(provider.props.get("skipTlsVerify", "false")).lower() != "true"
    yield from transport.unencrypted_provider(provider.name, tls, checked)


def _shown(props: Mapping[str, Any]) -> Iterator[Finding]:
    config = Config(props.get("config") or {})
    yield from connector_rules.shows_secrets(f"Worker {props.get('directory')}", config)


def _hide(*keys: str) -> Any:
    """Whether an input is secret is seen only by a remedy; so it is made one, seen or not."""

    def hide(props: MutableMapping[str, Any]) -> bool:
        raw = props["__target"]
        plain = [key for key in keys if raw.get(key) and not isinstance(raw[key], Secret)]
        for key in plain:
            raw[key] = Secret(raw[key])
        return bool(plain)

    return hide


def _nothing(_props: Mapping[str, Any]) -> Iterator[Finding]:
    yield from ()


TRANSPORT_RULES: list[Rule] = [
    DeclaredRule.of(
        judgements.UNENCRYPTED,
        why="Records and passwords can be read and changed on their way.",
        severity=Severity.CRITICAL,
    ),
    StackRule(
        id="production-clients-are-encrypted",
        title="In production, the clients of connectors and workers must use TLS.",
        why="Records and passwords can be read and changed on their way.",
        severity=Severity.CRITICAL,
        units=_clients,
        judge=_unencrypted,
    ),
    StackRule(
        id="production-providers-are-encrypted",
        title="In production, this stack itself must reach clusters through TLS, and check it.",
        why="The administrator's password can be read on its way, or handed to an impostor.",
        severity=Severity.CRITICAL,
        units=_providers,
        judge=_provider,
    ),
    StackRule(
        id="production-checks-hostnames",
        title="In production, no client may turn the check of hostnames off.",
        why="Whoever has a certificate of the same authority can pass for the broker.",
        units=_clients,
        judge=_unchecked,
    ),
    StackRule(
        id="production-workers-ask-who-you-are",
        title="In production, Connect's REST interface must be local or ask for a password.",
        why="Whoever reaches it can read and write with the workers' rights.",
        severity=Severity.CRITICAL,
        units=_workers,
        judge=_open,
    ),
]
SECRET_RULES: list[Rule] = [
    # A connector's own check refuses plain secrets in its config before any policy sees it.
    ResourceRule(
        id="worker-secrets-are-references",
        title="A worker's config must not hold a secret in plain text.",
        why="It is readable in a file, and in Pulumi's state.",
        severity=Severity.CRITICAL,
        type=WORKER,
        judge=_shown,
    ),
    ResourceRule(
        id="provider-passwords-are-secret",
        title="The password of a kafka provider must be a secret in the state.",
        why="Whoever can read the state administers the cluster. Put right by itself.",
        level=EnforcementLevel.REMEDIATE,
        severity=Severity.CRITICAL,
        type=KAFKA_PROVIDER,
        judge=_nothing,
        remedy=_hide(
            "saslPassword",
            "saslAwsSecretKey",
            "saslAwsToken",
            "clientKey",
            "clientKeyPassphrase",
        ),
    ),
    ResourceRule(
        id="worker-passwords-are-secret",
        title="The passwords that a worker is given must be secrets in the state.",
        why="Whoever can read the state can mirror, and change what was mirrored.",
        level=EnforcementLevel.REMEDIATE,
        severity=Severity.CRITICAL,
        type=WORKER,
        judge=_nothing,
        remedy=_hide("passwords"),
    ),
]
