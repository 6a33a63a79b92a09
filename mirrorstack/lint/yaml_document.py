"""YAML with lines."""

from __future__ import annotations

import yaml

from mirrorstack.lint.document import Located, Malformed


def from_yaml(content: str) -> list[Located]:
    """Every document of the file."""
    loader = yaml.SafeLoader(content)
    try:
        found = []
        while loader.check_node():
            node = loader.get_node()
            if node is not None:
                found.append(_from_node(loader, node, set()))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Malformed(mark.line + 1 if mark else 1, str(error.problem)) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise Malformed(1, str(error).splitlines()[0]) from None
    finally:
        loader.dispose()
    return [one for one in found if one.value is not None or one.kind != "scalar"]


def _from_node(loader: yaml.SafeLoader, node: yaml.Node, above: set[int]) -> Located:
    line = node.start_mark.line + 1
    if id(node) in above:
        raise Malformed(line, "an alias that holds itself")
    if isinstance(node, yaml.MappingNode):
        loader.flatten_mapping(node)
        keys: dict[str, Located] = {}
        for key, value in node.value:
            name = str(loader.construct_object(key, deep=True))
            found = _from_node(loader, value, above | {id(node)})
            keys[name] = found.moved_to(key.start_mark.line + 1)
        return Located(line, None, keys, kind="mapping")
    if isinstance(node, yaml.SequenceNode):
        items = tuple(_from_node(loader, item, above | {id(node)}) for item in node.value)
        return Located(line, None, items=items, kind="list")
    return Located(line, loader.construct_object(node))
