"""What the workers export to Prometheus, through its JMX exporter."""

from __future__ import annotations

METRICS_FILE = "metrics.yaml"
# Without rules of its own the exporter takes the domain, the type and the attribute as the name,
# and the other properties, such as source, topic and partition, as labels.
METRICS_CONFIG = """\
lowercaseOutputName: true
includeObjectNames:
  - kafka.connect.mirror:*
  - kafka.connect:type=connect-worker-metrics,*
  - kafka.connect:type=connect-worker-rebalance-metrics,*
  - kafka.connect:type=connector-task-metrics,*
  - kafka.connect:type=source-task-metrics,*
  - kafka.connect:type=task-error-metrics,*
rules:
  - pattern: .*
"""
