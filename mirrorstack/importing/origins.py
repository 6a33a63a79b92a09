"""Where flows are imported from: files, or a running Connect."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, Patience
from mirrorstack.connect.protocol import ConnectorState, ConnectResponseError
from mirrorstack.findings import UserError
from mirrorstack.importing.discovered_flows import Connector, Findings, in_connectors, in_properties
from mirrorstack.importing.strimzi import in_resource
from mirrorstack.lint.connector_files import connectors_in
from mirrorstack.lint.document import MalformedDocument
from mirrorstack.lint.json_document import parse_json
from mirrorstack.lint.properties_files import PropertiesKind, detect_kind, located_properties
from mirrorstack.lint.reader import read_bytes, read_text
from mirrorstack.lint.strimzi import is_strimzi
from mirrorstack.lint.yaml_document import parse_yaml
from mirrorstack.local.java_properties import MalformedProperties, load
from mirrorstack.notes import Note
from mirrorstack.planning.connector_checks import local_findings

PATIENCE = Patience(seconds=10.0)


def is_address(origin: str) -> bool:
    return "://" in origin


def from_connect(url: str, credentials_file: Path | None, ca_file: Path | None) -> Findings:
    """The connectors of a running Connect cluster, with their states."""
    for finding in local_findings({"rest_url": url}):
        raise UserError(f"{finding.message}.", "give the address of any of its workers")
    login = credentials.load(credentials_file) if credentials_file else None
    client = ConnectClient(url, login, ca_file=ca_file, patience=PATIENCE)
    try:
        found = client.connectors()
    except ConnectResponseError as refusal:
        if refusal.is_login and login is None:
            raise UserError(
                f"Connect at {url} wants to know who asks.",
                "give `--credentials-file FILE`, as JSON: "
                '{"username": "...", "password": "..."}; of a worker of this clone it is '
                "rest-credentials.json in its group's directory",
            ) from None
        raise
    if not found:
        raise UserError(f"Connect at {url} has no connectors.", "give the address of another one")
    states = [state.value for state in ConnectorState]
    return in_connectors(
        [
            # What has failed or is being moved was meant to run.
            Connector(
                name,
                one.config,
                ConnectorState(one.state.lower() if one.state.lower() in states else "running"),
            )
            for name, one in found.items()
        ]
    )


def from_files(paths: Sequence[Path]) -> Findings:
    """One mm2.properties, or connectors in any number of JSON, properties and Strimzi's files."""
    connectors: list[Connector] = []
    notes: list[Note] = []
    for path in paths:
        try:
            found = _from_file(path, notes)
        except (MalformedDocument, MalformedProperties) as malformed:
            raise UserError(
                f"{path}:{malformed.line} cannot be read: {malformed}", "correct it there"
            ) from None
        if isinstance(found, Findings):
            if len(paths) > 1:
                raise UserError(f"{path} is a whole mm2.properties.", "import it by itself")
            return found
        connectors += found
    flows = in_connectors(connectors)
    return Findings(flows.flows, [*notes, *flows.notes])


def _from_file(path: Path, notes: list[Note]) -> Findings | list[Connector]:
    content = read_bytes(path)
    if path.suffix.lower() in (".yaml", ".yml"):
        resources = [one for one in parse_yaml(read_text(path, content)) if is_strimzi(one)]
        connectors = [each for one in resources for each in in_resource(one, notes)]
        if connectors:
            return connectors
        raise _no_flow(path)
    if path.suffix.lower() == ".json" or content.lstrip()[:1] in (b"{", b"["):
        document = parse_json(read_text(path, content))
        return [Connector(one.name, one.config.values) for one in connectors_in(document)]
    config = located_properties(load(content)).values
    kind = detect_kind(config)
    if kind is PropertiesKind.MM2:
        return in_properties(config)
    if kind is PropertiesKind.CONNECTOR:
        return [Connector(config.get("name", path.stem), config)]
    raise _no_flow(path)


def _no_flow(path: Path) -> UserError:
    return UserError(
        f"{path} declares no flow: it is neither mm2.properties nor a connector.",
        "give mm2.properties, connectors as JSON, Strimzi's resources, or the address of a running "
        "Connect",
    )
