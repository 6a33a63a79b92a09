"""Checks the keys of mm2.properties, the file of dedicated mode (`connect-mirror-maker`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mirrorstack.findings import Finding
from mirrorstack.mm2.dedicated.scopes import dedicated_scope
from mirrorstack.mm2.key_scopes import KeyScope
from mirrorstack.mm2.key_values import BLANKS, split_list
from mirrorstack.rules.keys.checks import closest_key, key_findings
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.text import closest, suggestion

ARROW = "->"
BOOTSTRAP = "bootstrap.servers"
HEARTBEATS = "emit.heartbeats.enabled"


def dedicated_findings(config: Mapping[str, str]) -> list[Finding]:
    clusters = clusters_of(config)
    scope = dedicated_scope(clusters, config)
    return [
        *_file(config, clusters),
        *(
            one
            for key, value in config.items()
            for one in _key(scope, clusters, key, value, config)
        ),
    ]


def clusters_of(config: Mapping[str, str]) -> list[str]:
    """The aliases; where `clusters` is missing, those that other keys name."""
    if declared := split_list(config.get("clusters", "")):
        return list(dict.fromkeys(declared))
    ends = [key.partition(".")[0].split(ARROW) for key in config if ARROW in key]
    named = [key.removesuffix(f".{BOOTSTRAP}") for key in config if key.endswith(f".{BOOTSTRAP}")]
    named_elsewhere = [alias for pair in ends for alias in pair] + [
        name for name in named if "." not in name
    ]
    return list(dict.fromkeys(named_elsewhere))


def _file(config: Mapping[str, str], clusters: Sequence[str]) -> Iterator[Finding]:
    if not split_list(config.get("clusters", "")):
        yield Finding(
            "clusters is absent: it declares the aliases that all other keys use",
            f"add `clusters = {', '.join(clusters) or 'SOURCE, TARGET'}`",
            rule=KeyRule.MISSING_KEY,
            path=("clusters",),
        )
    for alias in clusters:
        if f"{alias}.{BOOTSTRAP}" not in config and BOOTSTRAP not in config:
            yield Finding(
                f"{alias}.{BOOTSTRAP} is absent: it is the address of the cluster {alias}",
                "add it",
                rule=KeyRule.MISSING_KEY,
                path=(f"{alias}.{BOOTSTRAP}",),
            )
    yield from _common_address(config, clusters)
    flows = [key for key in config if key.endswith(".enabled") and _pair(key, clusters)]
    if not any(_is_true(config[key]) for key in [*flows, "enabled"] if key in config):
        example = ARROW.join((*clusters, "SOURCE", "TARGET")[:2])
        yield Finding(
            f"no flow is enabled: {example}.enabled and all others are absent or false",
            f"write `{example}.enabled = true`",
            rule=KeyRule.MISSING_KEY,
            path=(f"{example}.enabled",),
        )


def _common_address(config: Mapping[str, str], clusters: Sequence[str]) -> Iterator[Finding]:
    without = [alias for alias in clusters if f"{alias}.{BOOTSTRAP}" not in config]
    if BOOTSTRAP not in config or len(without) == 1:
        return
    if without:
        what = f"{BOOTSTRAP} is the address of {' and '.join(without)}: they would be one cluster"
    else:
        what = f"nothing reads {BOOTSTRAP}: every cluster has its own address"
    fix = f"write `{(*without, *clusters, 'SOURCE')[0]}.{BOOTSTRAP}` for each cluster"
    yield Finding(
        what, fix, rule=KeyRule.CONFLICT if without else KeyRule.DROPPED_KEY, path=(BOOTSTRAP,)
    )


def _pair(key: str, clusters: Sequence[str]) -> tuple[str, str] | None:
    """Source and target of `east->west.enabled`; None for longer keys."""
    source, _, target = key.removesuffix(".enabled").partition(ARROW)
    return (source, target) if source in clusters and target in clusters else None


def _is_true(value: str) -> bool:
    return value.strip(BLANKS).lower() == "true"


def _key(
    scope: KeyScope, clusters: Sequence[str], key: str, value: str, config: Mapping[str, str]
) -> Iterator[Finding]:
    if value.startswith(ARROW):
        yield Finding(
            f"{key} is {value!r}: a key ends at the first blank",
            f"write the flow without blanks: `{key}{ARROW}{value[2:].strip()}`",
            rule=KeyRule.UNDECLARED_CLUSTER,
            path=(key,),
        )
        return
    found = list(key_findings(scope, key, value, config))
    unknown = any(one.rule == KeyRule.UNKNOWN_KEY for one in found)
    if unknown and (undeclared := _undeclared(scope, clusters, key)):
        yield undeclared
        return
    yield from found
    yield from _raw_boolean(key, value, clusters)
    if key.endswith(".exactly.once.support") and value.strip(BLANKS).lower() == "required":
        yield Finding(
            f"{key} is required, and dedicated mode gives it to all three connectors: the "
            "checkpoint and the heartbeat connector do not support it and are refused",
            "write `requested`, which is the default",
            rule=KeyRule.CONFLICT,
            path=(key,),
        )


def _undeclared(scope: KeyScope, clusters: Sequence[str], key: str) -> Finding | None:
    """A key that would be valid if its cluster were declared."""
    if key.startswith(tuple(f"{a}{ARROW}{b}." for a in clusters for b in clusters)):
        return None
    source, arrow, rest = key.partition(ARROW)
    if arrow and source not in clusters:
        meant = closest(
            source, [each for each in clusters if not rest.startswith(f"{each}.")], cutoff=0.7
        )
        return _undeclared_finding(key, source, meant and f"{meant}{ARROW}{rest}", clusters)
    start = f"{source}{ARROW}" if arrow else ""
    parts = (rest if arrow else key).split(".")
    for count in range(1, len(parts)):
        alias, name = ".".join(parts[:count]), ".".join(parts[count:])
        meant = closest(alias, [each for each in clusters if each != source], cutoff=0.7)
        would = key_findings(scope, f"{start}{meant}.{name}", "", {}) if meant else ()
        if meant and all(one.rule is KeyRule.INVALID_VALUE for one in would):
            return _undeclared_finding(key, alias, f"{start}{meant}.{name}", clusters)
    known = clusters and scope.reads(f"{clusters[0]}.{'.'.join(parts[1:])}")
    if arrow or (known and closest_key(scope, key) is None):
        return _undeclared_finding(key, parts[0], None, clusters)
    return None


def _undeclared_finding(
    key: str, alias: str, meant: str | None, clusters: Sequence[str]
) -> Finding:
    return Finding(
        f"nothing reads {key}: {alias} is not in `clusters` ({', '.join(clusters) or 'none'})",
        suggestion(meant, "add it to `clusters`, or remove the key"),
        rule=KeyRule.UNDECLARED_CLUSTER,
        path=(key,),
    )


def _raw_boolean(key: str, value: str, clusters: Sequence[str]) -> Iterator[Finding]:
    """MirrorMaker decides from the raw text which flows to start; `true` with a blank is false."""
    raw = key == HEARTBEATS or key.endswith(f".{HEARTBEATS}") or _pair(key, clusters)
    if raw and value != value.strip(BLANKS) and _is_true(value):
        yield Finding(
            f"{key} is {value!r}: because of the blank at its end, MirrorMaker takes it for "
            "false where it decides which flows to start",
            "remove the blank",
            rule=KeyRule.TRAILING_WHITESPACE,
            path=(key,),
            severity=KeyRule.TRAILING_WHITESPACE.info.severity,
        )
