"""Checks the config of one of MirrorMaker's connectors, without a worker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.findings import Finding, Severity
from mirrorstack.mm2.catalogue import CONNECTORS, Section, connector_section, keys_in
from mirrorstack.mm2.key_scopes import connector_scope
from mirrorstack.mm2.replication_policy import MIRROR_PACKAGE
from mirrorstack.rules.keys.checks import key_findings
from mirrorstack.rules.keys.rules import KeyRule

CLASS = "connector.class"
BOOTSTRAP = "bootstrap.servers"
# Producer keys that are set for throughput. `producer.` configures the one of offset syncs.
TUNING = frozenset(
    {"acks", "batch.size", "buffer.memory", "compression.type", "linger.ms", "max.request.size"}
)


def connector_key_findings(config: Mapping[str, str], *, complete: bool = True) -> list[Finding]:
    """None for connectors that are not MirrorMaker's.

    A config that is not complete, such as the overrides of a stack file, may lack required keys.
    """
    given = config.get(CLASS, "").strip()
    section = connector_section(given)
    if section is None:
        return list(_class(given))
    scope = connector_scope(section, config)
    found = [
        one for key, value in config.items() for one in key_findings(scope, key, value, config)
    ]
    if complete:
        found += _missing(section, config)
    return [*found, *_conflicts(section, config), *_clients(section, config)]


def _class(given: str) -> Iterator[Finding]:
    package, _, simple = given.rpartition(".")
    if package == MIRROR_PACKAGE or (not package and simple.startswith("Mirror")):
        names = ", ".join(CONNECTORS)
        yield Finding(
            f"{CLASS} is {given!r}: MirrorMaker has no such connector",
            f"write one of {names}",
            rule=KeyRule.INVALID_VALUE,
            path=(CLASS,),
        )


def _missing(section: Section, config: Mapping[str, str]) -> Iterator[Finding]:
    for key in keys_in(section).values():
        # Connect takes the name from the path of the request.
        if key.required and key.name not in config and key.name != "name":
            yield _absent(key.name, "it has no default")
    ends = ("target",) if section is Section.HEARTBEAT else ("source", "target")
    for end in ends:
        given = any(key.startswith(f"{end}.") and key.endswith(BOOTSTRAP) for key in config)
        if not given and f"admin.{BOOTSTRAP}" not in config:
            yield _absent(f"{end}.cluster.{BOOTSTRAP}", f"it is the address of the {end} cluster")


def _absent(key: str, why: str) -> Finding:
    return Finding(f"{key} is absent: {why}", "add it", rule=KeyRule.MISSING_KEY, path=(key,))


def _conflicts(section: Section, config: Mapping[str, str]) -> Iterator[Finding]:
    """What MirrorMaker's own validation refuses, apart from single keys."""

    def is_off(key: str) -> bool:
        return config.get(key, "true").strip().lower() == "false"

    syncs = "emit.offset-syncs.enabled"
    if section is Section.SOURCE:
        isolation = config.get(
            "source.consumer.isolation.level", config.get("consumer.isolation.level")
        )
        once = "exactly.once.support"
        if config.get(once, "").strip().lower() == "required" and isolation != "read_committed":
            yield _conflict(
                once,
                "required",
                "the source's consumer is not read_committed",
                "set consumer.isolation.level to read_committed",
            )
        about = [key for key in config if key.startswith(("offset-syncs-", "offset-syncs.topic."))]
        if is_off(syncs) and about:
            yield _conflict(syncs, "false", f"{about[0]} is given", "remove one of the two")
    if section is Section.CHECKPOINT and not is_off("enabled"):
        for key in ("emit.checkpoints.enabled", syncs):
            if is_off(key):
                yield _conflict(
                    key,
                    "false",
                    "a checkpoint connector cannot work without it",
                    "remove the connector, or the key",
                )


def _conflict(key: str, value: str, why: str, fix: str) -> Finding:
    return Finding(
        f"{key} is {value}, and {why}: MirrorMaker refuses it",
        fix,
        rule=KeyRule.CONFLICT,
        path=(key,),
    )


def _clients(section: Section, config: Mapping[str, str]) -> Iterator[Finding]:
    """Keys that configure another client than probably meant."""
    for key in config:
        rest = key.removeprefix("consumer.override.")
        if rest != key:
            yield _wrong_client(key, "consumer that reads the source's records", f"consumer.{rest}")
        prefix, _, rest = key.partition("producer.")
        instead = f"producer.override.{rest}"
        tunes = prefix in ("", "target.") and rest in TUNING and section is Section.SOURCE
        if tunes and instead not in config:
            yield _wrong_client(key, "producer that writes the records", instead)


def _wrong_client(key: str, client: str, instead: str) -> Finding:
    what = f"{key} does not configure the {client}"
    return Finding(
        what, f"write `{instead}`", rule=KeyRule.UNREAD_KEY, path=(key,), severity=Severity.WARNING
    )
