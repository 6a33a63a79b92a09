"""A file, whatever its kind: read, recognised and judged."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from mirrorstack.findings import UserError
from mirrorstack.lint.connector_files import Connector, connectors_in, judge_connectors
from mirrorstack.lint.cross_file import Judged, judge_together
from mirrorstack.lint.document import Malformed
from mirrorstack.lint.entries import Placed
from mirrorstack.lint.json_document import from_json
from mirrorstack.lint.properties_files import (
    PropertiesKind,
    entries_of,
    judge_properties,
    kind_of,
    meant,
)
from mirrorstack.lint.shell_scripts import SHEBANG, judge_script
from mirrorstack.lint.stack_files import is_stack, judge_stack
from mirrorstack.lint.strimzi import connectors_of, is_strimzi, judge_strimzi
from mirrorstack.lint.strimzi_fields import as_meant
from mirrorstack.lint.yaml_document import from_yaml
from mirrorstack.local.java_properties import MalformedProperties, load
from mirrorstack.rules.dedicated_flows import herders

LARGEST = 10_000_000
YAML_LINE = re.compile(rb"^(apiVersion:|kind:|config:\s*$|---\s*$)", re.MULTILINE)
KINDS = (
    "mm2.properties, a worker's or a connector's properties, connectors as JSON, Strimzi's "
    "KafkaMirrorMaker2, KafkaConnector or KafkaConnect, a stack file, or a shell script"
)


def lint(path: Path, kind: PropertiesKind | None = None) -> list[Placed]:
    """What is wrong with one file, by line. `kind` is for properties that do not tell."""
    return judge_together({path: judged(path, kind)})[path]


def judged(path: Path, kind: PropertiesKind | None = None) -> Judged:
    """A file by itself, for `judge_together`."""
    content = read_bytes(path)
    try:
        return _reader(path, content)(path, content, kind)
    except (Malformed, MalformedProperties) as malformed:
        raise UserError(
            f"{path}:{malformed.line} cannot be read: {malformed}", "correct it there"
        ) from None


def read_bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST:
            raise UserError(f"{path} has more than {LARGEST:,} bytes.", f"give a file with {KINDS}")
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}", "check the path") from None


Reader = Callable[[Path, bytes, PropertiesKind | None], Judged]


def _reader(path: Path, content: bytes) -> Reader:
    """By the name's ending; where that does not tell, by how the content begins."""
    ending = path.suffix.lower()
    if ending == ".sh" or SHEBANG.match(content):
        return _shell
    if ending == ".json" or content.lstrip()[:1] in (b"{", b"["):
        return _json
    if ending in (".yaml", ".yml") or (ending != ".properties" and YAML_LINE.search(content)):
        return _yaml
    return _properties


def _properties(path: Path, content: bytes, kind: PropertiesKind | None) -> Judged:
    properties = load(content)
    kind = kind or kind_of(entries_of(properties).values)
    if kind is None:
        raise UserError(
            f"{path} does not tell what it is: none of its keys is only MirrorMaker's or only a "
            "Connect worker's.",
            f"say it: --as {', --as '.join(PropertiesKind)}",
        )
    entries, _ = meant(properties)
    name = entries.values.get("name", path.stem)
    return Judged(
        judge_properties(properties, kind),
        connectors=[Connector(name, entries)] if kind is PropertiesKind.CONNECTOR else (),
        herders=herders(entries.values) if kind is PropertiesKind.MM2 else (),
        worker=kind is PropertiesKind.WORKER,
        entries=entries,
    )


def _shell(path: Path, content: bytes, _kind: PropertiesKind | None) -> Judged:
    return Judged(judge_script(read_text(path, content)))


def _json(path: Path, content: bytes, _kind: PropertiesKind | None) -> Judged:
    connectors = connectors_in(from_json(read_text(path, content)))
    if not connectors:
        raise UserError(f"{path} holds no connector.", f"give a file with {KINDS}")
    return Judged(judge_connectors(connectors), connectors)


def _yaml(path: Path, content: bytes, _kind: PropertiesKind | None) -> Judged:
    documents = from_yaml(read_text(path, content))
    of_strimzi = [one for one in documents if is_strimzi(one)]
    stacks = [one for one in documents if is_stack(one) and one not in of_strimzi]
    if not of_strimzi and not stacks:
        raise UserError(
            f"{path} holds neither a resource of Strimzi's nor a stack.",
            f"give a file with {KINDS}",
        )
    found = [placed for one in of_strimzi for placed in judge_strimzi(one)]
    found += [placed for one in stacks for placed in judge_stack(one, path)]
    return Judged(found, [each for one in of_strimzi for each in connectors_of(as_meant(one))])


def read_text(path: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(
            f"{path}:{line} cannot be read: it is not UTF-8.", "save it as UTF-8"
        ) from None
