"""Images as archives in the format of `docker save`, written without Docker."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path

from mirrorstack.local.kafka_installation import KafkaInstallation
from tests.platforms.kafka_image import MODULES, image_files
from tests.platforms.kubernetes.jmx_exporter import jmx_exporter_jar
from toolchain.cache import Cache

JMX_EXPORTER = "opt/jmx/jmx_prometheus_javaagent.jar"
MODULES_OF_JMX_EXPORTER = "java.instrument,java.management.rmi,jdk.httpserver"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def write_pause_image(name: str, parts: Path, tar: Path) -> None:
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as archive:
        archive.add(parts / "bin/pause", "pause")
    _write(tar, name, [layer.getvalue()], {"Entrypoint": ["/pause"]})


def write_kafka_image(name: str, kafka: KafkaInstallation, cache: Cache, tar: Path) -> None:
    """It stands in for the official image, under a name such as `apache/kafka:4.3.1`.

    Besides, it has Prometheus's JMX exporter, which the official one has not.
    """
    exporter = io.BytesIO()
    with tarfile.open(fileobj=exporter, mode="w") as archive:
        archive.add(jmx_exporter_jar(kafka.java, cache), JMX_EXPORTER)
    scratch = cache.directory("kubernetes-kafka-image")
    _link_java(kafka, scratch / "java")
    files = image_files(kafka, scratch)
    path = "/opt/java/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    config = {"User": "1000", "Env": [f"PATH={path}"]}
    _write(tar, f"docker.io/{name}", [files, exporter.getvalue()], config)


def _link_java(kafka: KafkaInstallation, output: Path) -> None:
    """With more modules than `image_files` would link."""
    if not output.exists():
        jlink = kafka.java.resolve().parent / "jlink"
        modules = f"{MODULES},{MODULES_OF_JMX_EXPORTER}"
        options = ("--strip-debug", "--no-header-files", "--no-man-pages")
        subprocess.run([jlink, "--add-modules", modules, *options, "--output", output], check=True)


def _write(tar: Path, name: str, layers: list[bytes], config: Mapping[str, object]) -> None:
    digests = [hashlib.sha256(layer).hexdigest() for layer in layers]
    description = json.dumps(
        {
            "architecture": ARCHITECTURES[os.uname().machine],
            "os": "linux",
            "config": config,
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{each}" for each in digests]},
        }
    ).encode()
    described = f"{hashlib.sha256(description).hexdigest()}.json"
    files = {f"{digest}.tar": layer for digest, layer in zip(digests, layers, strict=True)}
    manifest = [{"Config": described, "RepoTags": [name], "Layers": list(files)}]
    files |= {described: description, "manifest.json": json.dumps(manifest).encode()}
    with tarfile.open(tar, mode="w") as archive:
        for file, content in files.items():
            entry = tarfile.TarInfo(file)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
