"""Prometheus's JMX exporter, a Java agent, from a Maven repository."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from xml.sax.saxutils import quoteattr

from toolchain.cache import Cache, clear
from toolchain.command import run
from toolchain.download import checksum
from toolchain.jars import SETTINGS

ORGANIZATION, ARTIFACT, VERSION = "io.prometheus.jmx", "jmx_prometheus_javaagent", "1.0.1"
SHA256 = "7d61f737fd661610ccc14aea79764faa1ea94a340cbc8f0029b3d2edea3d80c1"


def jmx_exporter_jar(java: Path, cache: Cache) -> Path:
    entry = cache.entry("jmx-exporter", VERSION)
    jar = f"{ARTIFACT}-{VERSION}.jar"
    with cache.fill(entry) as directory:
        if directory is not None:
            clear(directory)
            with cache.lock("ivy"):
                _retrieve(java, cache, directory)
            assert checksum(directory / jar) == SHA256, f"{jar} has another SHA-256"
    return entry / jar


def _retrieve(java: Path, cache: Cache, directory: Path) -> None:
    mirror = os.environ.get("MIRRORSTACK_MAVEN_URL")
    root = f" root={quoteattr(mirror)}" if mirror else ""
    settings = directory / "settings.xml"
    settings.write_text(SETTINGS.format(cache=cache.directory("ivy"), root=root))
    (ivy,) = Path(sys.prefix).glob("lib/python*/site-packages/pyspark/jars/ivy-*.jar")
    what = ("-dependency", ORGANIZATION, ARTIFACT, VERSION, "-notransitive")
    where = ("-settings", settings, "-retrieve", directory / "[artifact]-[revision].[ext]")
    run([java, "-jar", ivy, *where, "-types", "jar", *what])
    settings.unlink()
