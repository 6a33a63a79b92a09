"""Where flows are imported from: files, or a running Connect."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.protocol import (
    ConnectorState,
    ConnectResponseError,
    ConnectUnreachableError,
)
from mirrorstack.findings import Finding, UserError
from mirrorstack.importing.discovered_flows import (
    DiscoveredFlows,
    ExistingConnector,
    flows_in_connectors,
    flows_in_properties,
)
from mirrorstack.importing.strimzi import connectors_in_resource
from mirrorstack.lint.connector_files import connectors_in
from mirrorstack.lint.document import MalformedDocument
from mirrorstack.lint.json_document import parse_json
from mirrorstack.lint.properties_files import PropertiesKind, detect_kind, located_properties
from mirrorstack.lint.reader import malformed_file, read_bytes, read_text
from mirrorstack.lint.strimzi import is_strimzi
from mirrorstack.lint.yaml_document import parse_yaml
from mirrorstack.local.java_properties import MalformedProperties, load
from mirrorstack.planning.checks.connector_checks import local_findings

PATIENCE = RetryPolicy(seconds=10.0)


def is_url(origin: str) -> bool:
    return "://" in origin


def discover_in_connect(
    url: str, credentials_file: Path | None, ca_file: Path | None
) -> DiscoveredFlows:
    """The connectors of a running Connect cluster, with their states."""
    for finding in local_findings({"rest_url": url}):
        raise UserError(finding.message, "give the URL of one of its workers")
    login = credentials.load(credentials_file) if credentials_file else None
    client = ConnectClient(url, login, ca_file=ca_file, retries=PATIENCE)
    try:
        connectors = client.connectors()
    except ConnectUnreachableError as error:
        raise UserError(
            error.message, "correct the URL, or check that a Connect worker is running there"
        ) from None
    except ConnectResponseError as error:
        if error.requires_authentication and login is None:
            raise UserError(
                f"Connect at {url} requires authentication",
                "add `--credentials-file FILE`, with JSON: "
                '{"username": "...", "password": "..."}; for a worker of a local stack it is '
                "rest-credentials.json in the directory of its group",
            ) from None
        raise
    if not connectors:
        raise UserError(f"Connect at {url} has no connectors", "give the URL of another Connect")
    return flows_in_connectors(
        [
            ExistingConnector(name, one.config, _declared_state(one.state))
            for name, one in connectors.items()
        ]
    )


def _declared_state(state: str) -> ConnectorState:
    """A connector that is failed or unassigned was declared as running."""
    declared = state.lower()
    return ConnectorState(declared) if declared in list(ConnectorState) else ConnectorState.RUNNING


def discover_in_files(paths: Sequence[Path]) -> DiscoveredFlows:
    """One mm2.properties, or connectors in any number of JSON, properties and Strimzi files."""
    connectors: list[ExistingConnector] = []
    notes: list[Finding] = []
    for path in paths:
        try:
            found = _from_file(path, notes)
        except (MalformedDocument, MalformedProperties) as malformed:
            raise malformed_file(path, malformed) from None
        if isinstance(found, DiscoveredFlows):
            if len(paths) > 1:
                raise UserError(
                    "an mm2.properties cannot be combined with other files",
                    "import it by itself",
                    file=str(path),
                )
            return found
        connectors += found
    flows = flows_in_connectors(connectors)
    return DiscoveredFlows(flows.flows, [*notes, *flows.notes])


def _from_file(path: Path, notes: list[Finding]) -> DiscoveredFlows | list[ExistingConnector]:
    content = read_bytes(path)
    if path.suffix.lower() in (".yaml", ".yml"):
        resources = [one for one in parse_yaml(read_text(path, content)) if is_strimzi(one)]
        connectors = [each for one in resources for each in connectors_in_resource(one, notes)]
        if connectors:
            return connectors
        raise _no_flow(path)
    if path.suffix.lower() == ".json" or content.lstrip()[:1] in (b"{", b"["):
        document = parse_json(read_text(path, content))
        return [ExistingConnector(one.name, one.config.values) for one in connectors_in(document)]
    config = located_properties(load(content)).values
    kind = detect_kind(config)
    if kind is PropertiesKind.MM2:
        return flows_in_properties(config)
    if kind is PropertiesKind.CONNECTOR:
        return [ExistingConnector(config.get("name", path.stem), config)]
    raise _no_flow(path)


def _no_flow(path: Path) -> UserError:
    return UserError(
        "declares no flow: it is neither mm2.properties nor a connector",
        "give mm2.properties, connectors as JSON, Strimzi resources, or the URL of a running "
        "Connect",
        file=str(path),
    )
