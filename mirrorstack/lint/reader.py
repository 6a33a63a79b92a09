"""Reads a file of any kind: detects the kind, parses and checks it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mirrorstack.findings import Finding, UserError
from mirrorstack.lint.connector_files import LintedConnector, check_connectors, connectors_in
from mirrorstack.lint.cross_file import LintedFile, check_files
from mirrorstack.lint.document import MalformedDocument
from mirrorstack.lint.json_document import parse_json
from mirrorstack.lint.properties_files import (
    PropertiesKind,
    check_properties,
    detect_kind,
    located_properties,
    without_comments,
)
from mirrorstack.lint.shell_scripts import SHEBANG, check_script
from mirrorstack.lint.stack_files import check_stack, is_stack
from mirrorstack.lint.strimzi import check_resource, connectors_of, is_strimzi
from mirrorstack.lint.strimzi_fields import correct_fields
from mirrorstack.lint.yaml_document import parse_yaml
from mirrorstack.local.java_properties import MalformedProperties, load
from mirrorstack.rules.dedicated_flows import herders

MAX_BYTES = 10_000_000
YAML_LINE = re.compile(rb"^(apiVersion:|kind:|config:\s*$|---\s*$)", re.MULTILINE)
KINDS = (
    "mm2.properties, worker or connector properties, connectors as JSON, a Strimzi "
    "KafkaMirrorMaker2, KafkaConnector or KafkaConnect, a stack file, or a shell script"
)


def lint_file(path: Path, kind: PropertiesKind | None = None) -> list[Finding]:
    """The findings of one file, by line. `kind` is for properties whose keys leave it open."""
    return check_files({path: read_file(path, kind)})


def read_file(path: Path, kind: PropertiesKind | None = None) -> LintedFile:
    """One file, checked by itself; `check_files` adds the checks over several files."""
    content = read_bytes(path)
    try:
        linted = _reader(path, content)(path, content, kind)
    except (MalformedDocument, MalformedProperties) as malformed:
        raise malformed_file(path, malformed) from None
    return replace(linted, findings=[replace(one, file=str(path)) for one in linted.findings])


def malformed_file(path: Path, malformed: MalformedDocument | MalformedProperties) -> UserError:
    return UserError(
        f"cannot be parsed: {malformed}",
        "correct this line",
        file=str(path),
        line=malformed.line,
    )


def read_bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"is larger than {MAX_BYTES:,} bytes", f"give {KINDS}", file=str(path))
        return path.read_bytes()
    except OSError as error:
        raise UserError(
            f"cannot be read: {error.strerror}", "check the path", file=str(path)
        ) from None


def read_text(path: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(
            "cannot be read: not UTF-8",
            "save it as UTF-8",
            file=str(path),
            line=content.count(b"\n", 0, error.start) + 1,
        ) from None


Reader = Callable[[Path, bytes, PropertiesKind | None], LintedFile]


def _reader(path: Path, content: bytes) -> Reader:
    """By the file extension; otherwise by the first bytes of the content."""
    extension = path.suffix.lower()
    if extension == ".sh" or SHEBANG.match(content):
        return _shell
    if extension == ".json" or content.lstrip()[:1] in (b"{", b"["):
        return _json
    if extension in (".yaml", ".yml") or (extension != ".properties" and YAML_LINE.search(content)):
        return _yaml
    return _properties


def _properties(path: Path, content: bytes, kind: PropertiesKind | None) -> LintedFile:
    properties = load(content)
    kind = kind or detect_kind(located_properties(properties).values)
    if kind is None:
        raise UserError(
            "unknown kind of properties file: no key belongs only to MirrorMaker or only to a "
            "Connect worker",
            f"add --as {', --as '.join(PropertiesKind)}",
            file=str(path),
        )
    config, _ = without_comments(properties)
    name = config.values.get("name", path.stem)
    return LintedFile(
        check_properties(properties, kind),
        connectors=[LintedConnector(name, config)] if kind is PropertiesKind.CONNECTOR else (),
        herders=herders(config.values) if kind is PropertiesKind.MM2 else (),
        is_worker=kind is PropertiesKind.WORKER,
        config=config,
    )


def _shell(path: Path, content: bytes, _kind: PropertiesKind | None) -> LintedFile:
    return LintedFile(check_script(read_text(path, content)))


def _json(path: Path, content: bytes, _kind: PropertiesKind | None) -> LintedFile:
    connectors = connectors_in(parse_json(read_text(path, content)))
    if not connectors:
        raise UserError("contains no connector", f"give {KINDS}", file=str(path))
    return LintedFile(check_connectors(connectors), connectors)


def _yaml(path: Path, content: bytes, _kind: PropertiesKind | None) -> LintedFile:
    documents = parse_yaml(read_text(path, content))
    resources = [one for one in documents if is_strimzi(one)]
    stacks = [one for one in documents if is_stack(one) and not is_strimzi(one)]
    if not resources and not stacks:
        raise UserError(
            "contains neither a Strimzi resource nor a stack", f"give {KINDS}", file=str(path)
        )
    findings = [finding for one in resources for finding in check_resource(one)]
    findings += [finding for one in stacks for finding in check_stack(one, path)]
    connectors = [each for one in resources for each in connectors_of(correct_fields(one))]
    return LintedFile(findings, connectors)
