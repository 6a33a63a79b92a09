"""The versions that are tested together. Run `make test` after a change."""

PYTHON_AT_LEAST = (3, 11)
JAVA_AT_LEAST = 17
JAVA_FOR_SPARK_AT_MOST = 21  # Spark 4.0 supports up to 21; Kafka also newer ones
PULUMI = "3.259.0"
KAFKA_PLUGIN = "3.13.3"
DOCKER_PLUGIN = "5.2.0"
KUBERNETES_PLUGIN = "4.34.2"
KAFKA = "4.3.1"
SPARK_KAFKA = "4.0.0"
UV = "0.13.7"
GO_AT_LEAST = (1, 25, 11)  # required by Pulumi's go.mod
GO_WHEEL = "1.26.6"


def numbers(version: str) -> tuple[int, ...]:
    """`v3.259.0-dev` -> (3, 259, 0), to compare versions by number."""
    core = version.strip().lstrip("v").split("-")[0].split("+")[0]
    return tuple(int(piece) for piece in core.split(".") if piece.isdigit())
