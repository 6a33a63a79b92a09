"""YAML with line numbers."""

from __future__ import annotations

from typing import Any

import yaml

from mirrorstack.lint.document import (
    MAX_DEPTH,
    MAX_NODES,
    DocumentNode,
    LineIndex,
    MalformedDocument,
    scalar,
)

SHOWN = 40


class _DepthLimitedLoader(yaml.SafeLoader):
    """PyYAML takes quadratic time for deep nesting, and then runs out of stack."""

    def fetch_flow_collection_start(self, token_class: Any) -> None:
        self._check_depth(self.flow_level)
        super().fetch_flow_collection_start(token_class)

    def add_indent(self, column: int) -> bool:
        self._check_depth(len(self.indents))
        return bool(super().add_indent(column))

    def _check_depth(self, depth: int) -> None:
        if depth >= MAX_DEPTH:
            raise MalformedDocument(self.line + 1, f"nested deeper than {MAX_DEPTH} levels")


def parse_yaml(content: str) -> list[DocumentNode]:
    """All documents of a file that are not empty."""
    try:
        loader = _DepthLimitedLoader(content)
    except yaml.reader.ReaderError as error:
        line = LineIndex(content).line_at(error.position)
        character = f"U+{ord(content[error.position]):04X}"
        raise MalformedDocument(line, f"the character {character} is not allowed") from None
    try:
        documents = []
        while loader.check_node():
            node = loader.get_node()
            if node is not None:
                documents.append(_NodeConverter(loader).convert(node, ()))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise MalformedDocument(mark.line + 1 if mark else 1, str(error.problem)) from None
    except yaml.YAMLError as error:
        raise MalformedDocument(1, str(error).splitlines()[0]) from None
    except RecursionError:
        raise MalformedDocument(1, f"nested deeper than {MAX_DEPTH} levels") from None
    finally:
        loader.dispose()
    return [one for one in documents if one.value is not None or one.kind != "scalar"]


class _NodeConverter:
    """Converts the nodes of one document; aliases are expanded, up to a limit."""

    def __init__(self, loader: yaml.SafeLoader) -> None:
        self._loader = loader
        self._count = 0

    def convert(self, node: yaml.Node, ancestors: tuple[yaml.Node, ...]) -> DocumentNode:
        line = node.start_mark.line + 1
        self._count += 1
        if self._count > MAX_NODES:
            raise MalformedDocument(line, f"aliases expand to more than {MAX_NODES:,} values")
        if any(node is ancestor for ancestor in ancestors):
            raise MalformedDocument(line, "an alias contains itself")
        if len(ancestors) > MAX_DEPTH:
            raise MalformedDocument(line, f"nested deeper than {MAX_DEPTH} levels")
        below = (*ancestors, node)
        if isinstance(node, yaml.MappingNode):
            self._loader.flatten_mapping(node)
            members: dict[str, DocumentNode] = {}
            for key, value in node.value:
                key_line = key.start_mark.line + 1
                members[self._key(key)] = self.convert(value, below).with_line(key_line)
            return DocumentNode(line, None, members, kind="mapping")
        if isinstance(node, yaml.SequenceNode):
            items = tuple(self.convert(item, below) for item in node.value)
            return DocumentNode(line, None, items=items, kind="list")
        return scalar(line, self._construct(node))

    def _key(self, node: yaml.Node) -> str:
        key = self._construct(node)
        try:
            return str(key)
        except (ValueError, RecursionError):
            raise _invalid(node) from None

    def _construct(self, node: yaml.Node) -> Any:
        try:
            return self._loader.construct_object(node, deep=True)
        except (ValueError, TypeError, AttributeError, OverflowError, LookupError):
            # PyYAML lets these pass for values that only look like a date or a number.
            raise _invalid(node) from None


def _invalid(node: yaml.Node) -> MalformedDocument:
    kind, value = node.tag.rpartition(":")[2], str(node.value)
    shown = value if len(value) <= SHOWN else f"{value[:SHOWN]}..."
    return MalformedDocument(node.start_mark.line + 1, f"{shown!r} is not a valid {kind}")
