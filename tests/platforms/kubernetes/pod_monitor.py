"""The CustomResourceDefinition of PodMonitor, from the Go module of the Prometheus Operator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from mirrorstack.console import Console
from tests.platforms.kubernetes.binaries import go_program
from toolchain.cache import Cache
from toolchain.command import output_of

MODULE = "github.com/prometheus-operator/prometheus-operator@v0.94.1"
FILE = "example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml"
DOWNLOAD_SECONDS = 300.0


def pod_monitor_definition(cache: Cache, console: Console) -> dict[str, Any]:
    go = go_program(cache, console)
    downloaded = output_of([go, "mod", "download", "-json", MODULE], timeout=DOWNLOAD_SECONDS)
    definition: dict[str, Any] = yaml.safe_load(
        Path(json.loads(downloaded)["Dir"], FILE).read_text()
    )
    return definition
