"""Strimzi's CustomResourceDefinitions, generated from its API classes in a Maven repository.

`python -m tests.platforms.strimzi.definitions` writes their schemas for the unit tests.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import yaml

from toolchain.cache import Cache, clear
from toolchain.command import output_of, run
from toolchain.jars import SETTINGS
from toolchain.java import Java, major, version_in

RELEASES = {"v1": "1.2.0", "v1beta2": "0.45.0"}
"""By API version: the release of Strimzi that is tested with it."""
JAVA_AT_LEAST = 21
"""For the generator of 1.2.0."""
MODEL = "io.strimzi.api.kafka.model"
KINDS = {
    "KafkaConnect": "connect",
    "KafkaConnector": "connector",
    "KafkaMirrorMaker2": "mirrormaker2",
    "KafkaTopic": "topic",
    "KafkaUser": "user",
}
"""By kind: the package of its class."""
DEPENDENCIES = """\
<ivy-module version="2.0">
  <info organisation="mirrorstack" module="strimzi"/>
  <dependencies>
    <dependency org="io.strimzi" name="crd-generator" rev="{release}" conf="default->default"/>
    <dependency org="io.strimzi" name="api" rev="{release}" conf="default->default"/>
    <exclude org="io.strimzi" module="test"/>
  </dependencies>
</ivy-module>
"""
SCHEMAS = Path(__file__).parents[2] / "unit/kubernetes/strimzi_schemas.json"
NOT_USED = (
    "build",
    "externalConfiguration",
    "jmxOptions",
    "livenessProbe",
    "logging",
    "metricsConfig",
    "plugins",
    "rack",
    "readinessProbe",
    "tracing",
)
"""Parts of a spec that no stack declares."""

Definition = dict[str, Any]


def strimzi_definitions(version: str, cache: Cache) -> list[Definition]:
    """Of all kinds that a stack declares, in one version of the API."""
    release = RELEASES[version]
    entry = cache.entry("strimzi-definitions", f"{version}-{release}")
    with cache.fill(entry) as directory:
        if directory is not None:
            clear(directory)
            _generate(version, release, cache, directory)
    return [yaml.safe_load((entry / f"{kind}.yaml").read_text()) for kind in KINDS]


def schemas(definitions: list[Definition]) -> dict[str, Definition]:
    """The schema of each kind's `spec`, by kind and version such as `KafkaTopic/v1`."""
    found = {}
    for definition in definitions:
        for version in definition["spec"]["versions"]:
            spec = version["schema"]["openAPIV3Schema"]["properties"]["spec"]
            key = f"{definition['spec']['names']['kind']}/{version['name']}"
            found[key] = _reduced(spec)
    return found


def _reduced(spec: Definition) -> Definition:
    used = {name: part for name, part in spec["properties"].items() if name not in NOT_USED}
    if pod := used.get("template", {}).get("properties", {}).get("pod"):
        metadata = {"metadata": pod["properties"]["metadata"]}
        pods = {"pod": {"type": "object", "properties": metadata}}
        used["template"] = {"type": "object", "properties": pods}
    reduced: Definition = _without_descriptions({**spec, "properties": used})
    return reduced


def _without_descriptions(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_descriptions(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _without_descriptions(value)
        for key, value in schema.items()
        if key != "x-kubernetes-validations"
        and not (key == "description" and isinstance(value, str))
    }


def _generate(version: str, release: str, cache: Cache, directory: Path) -> None:
    java = _recent_java()
    jars = directory / "jars"
    jars.mkdir()
    mirror = os.environ.get("MIRRORSTACK_MAVEN_URL")
    root = f" root={quoteattr(mirror)}" if mirror else ""
    settings, needed = directory / "settings.xml", directory / "ivy.xml"
    settings.write_text(SETTINGS.format(cache=cache.directory("ivy"), root=root))
    needed.write_text(DEPENDENCIES.format(release=release))
    (ivy,) = Path(sys.prefix).glob("lib/python*/site-packages/pyspark/jars/ivy-*.jar")
    where = ("-settings", settings, "-ivy", needed)
    what = ("-types", "jar", "bundle", "-retrieve", f"{jars}/[artifact]-[revision].[ext]")
    with cache.lock("ivy"):
        run([java, "-jar", ivy, *where, *what])
    generator = (java, "-cp", f"{jars}/*", "io.strimzi.crdgenerator.CrdGenerator")
    versions = ("--api-versions", version, "--storage-version", version)
    options = ("--target-kube", "1.16+", "--crd-api-version", "v1", *versions, "--yaml")
    files = [f"{MODEL}.{part}.{kind}={directory}/{kind}.yaml" for kind, part in KINDS.items()]
    run([*generator, *options, *files])


def _recent_java() -> Path:
    found = [
        java
        for java in Java().candidates()
        if major(version_in(output_of([java, "-version"])) or "0") >= JAVA_AT_LEAST
    ]
    assert found, f"Strimzi's generator needs a JDK {JAVA_AT_LEAST} or newer"
    return found[0]


def main() -> None:
    generated = [
        each for version in RELEASES for each in strimzi_definitions(version, Cache.of_user())
    ]
    lines = [
        f"{json.dumps(key)}: {json.dumps(schema, sort_keys=True)}"
        for key, schema in sorted(schemas(generated).items())
    ]
    SCHEMAS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
