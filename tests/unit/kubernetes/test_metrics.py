"""The config of Prometheus' JMX exporter."""

from __future__ import annotations

import yaml

from mirrorstack.kubernetes.metrics import METRICS_CONFIG


def test_metrics_of_mirrormaker_and_of_tasks_are_exported() -> None:
    config = yaml.safe_load(METRICS_CONFIG)

    assert "kafka.connect.mirror:*" in config["includeObjectNames"]
    assert "kafka.connect:type=connector-task-metrics,*" in config["includeObjectNames"]
    assert config["rules"], "without a rule nothing is exported"
