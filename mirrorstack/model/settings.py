"""The stack file, parsed once into frozen settings. Unknown keys are errors."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from mirrorstack.problem import Problem

Alias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+$", max_length=100)]
TopicName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]+$", max_length=249)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class ClusterSettings(Strict):
    """A Kafka cluster. Its key in `clusters` is its alias: the prefix of mirrored topics."""

    sandbox: Annotated[str, StringConstraints(min_length=1)]
    """The name of the sandbox on this machine whose cluster of the same alias this is."""


class FlowSettings(Strict):
    """Records move from one cluster to another."""

    source: Alias = Field(alias="from")
    target: Alias = Field(alias="to")
    topics: Annotated[tuple[TopicName, ...], Field(min_length=1)]

    @property
    def name(self) -> str:
        return f"{self.source}-to-{self.target}"


class StackSettings(Strict):
    clusters: Annotated[dict[Alias, ClusterSettings], Field(min_length=2)]
    flows: Annotated[tuple[FlowSettings, ...], Field(min_length=1)]


def parse(values: Mapping[str, Any], where: str) -> StackSettings:
    """Settings from the stack file's keys; `where` names the file in messages."""
    try:
        settings = StackSettings.model_validate(values)
    except ValidationError as error:
        raise _explain(error, where) from None
    for flow in settings.flows:
        _check_flow(flow, settings, where)
    return settings


def _check_flow(flow: FlowSettings, settings: StackSettings, where: str) -> None:
    known = ", ".join(settings.clusters)
    for end, alias in (("from", flow.source), ("to", flow.target)):
        if alias not in settings.clusters:
            raise Problem(
                f"{where}: flows: `{end}: {alias}` names no cluster; there are {known}.",
                f"use one of them, or declare {alias} under mirrorstack:clusters",
            )
    if flow.source == flow.target:
        raise Problem(
            f"{where}: flows: a flow from {flow.source} to {flow.target} copies onto itself.",
            "name two clusters",
        )


def _explain(error: ValidationError, where: str) -> Problem:
    """One message for the first thing that is wrong, in the words of the stack file."""
    first = error.errors(include_url=False)[0]
    *parents, last = first["loc"]
    key = ".".join(str(piece) for piece in first["loc"])
    if first["type"] == "extra_forbidden":
        known = _keys_at(tuple(parents))
        near = difflib.get_close_matches(str(last), known, n=1)
        hint = f"did you mean `{near[0]}`?" if near else f"known keys here: {', '.join(known)}"
        return Problem(f"{where}: mirrorstack:{key} is not a key that is known.", hint)
    if first["type"] == "missing":
        return Problem(f"{where}: mirrorstack:{key} is missing.", f"add `{last}`")
    return Problem(
        f"{where}: mirrorstack:{key} is {first['input']!r}: {first['msg']}.", "change the value"
    )


def _keys_at(parents: tuple[int | str, ...]) -> list[str]:
    """The keys that may stand below `clusters.<alias>`, `flows.<n>` or at the top."""
    below: dict[str, type[BaseModel]] = {"clusters": ClusterSettings, "flows": FlowSettings}
    model = below[str(parents[0])] if parents else StackSettings
    return [field.alias or name for name, field in model.model_fields.items()]
