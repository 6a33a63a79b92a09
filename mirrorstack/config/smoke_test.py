"""`smoke-test` of a stack file: how source and target are compared on Spark."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from mirrorstack.config.base import ConfigValue, InvalidValueError, SettingsModel, Text

SECRET = r"(?i)secret|password|passwd|token|jaas|credential|access[.]?key"  # noqa: S105
FIXED_SPARK_SETTINGS = {
    # The Spark UI shows options and plans: it must not show credentials if it is enabled.
    "spark.redaction.regex": SECRET,
    "spark.sql.redaction.options.regex": SECRET,
    "spark.sql.redaction.string.regex": SECRET,
    # Sums of hashes overflow on purpose.
    "spark.sql.ansi.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.catalogImplementation": "in-memory",
}
"""Settings that the comparison depends on; a stack must not change them."""


def check_spark_setting(name: str) -> str:
    """The name of a Spark setting, if a stack may set it."""
    if not name.startswith("spark."):
        raise InvalidValueError(
            "Spark settings begin with `spark.`", f"write `spark.{name}`, or remove it"
        )
    if name == "spark.master":
        raise InvalidValueError("the master has its own setting", "use `master` instead")
    if name in FIXED_SPARK_SETTINGS or name == "spark.jars":
        raise InvalidValueError("the comparison depends on its own value", "remove it")
    if re.search(SECRET, name):
        raise InvalidValueError(
            "looks like a secret, and would be in plain text in the stack file and on a command "
            "line",
            "put it into spark-defaults.conf in the directory that SPARK_CONF_DIR names",
        )
    return name


SparkSetting = Annotated[Text, AfterValidator(check_spark_setting)]


class SmokeTestSettings(SettingsModel):
    """`pulumi up` ends with a comparison of source and target on Spark, after every change of a
    flow. `mirrorstack verify` uses the same settings; its options take precedence."""

    wait_seconds: Annotated[float, Field(ge=0)] = Field(60.0, alias="wait-seconds")
    """Maximum time in seconds that the target may take to catch up."""
    master: Text | None = None
    """Spark master, such as `spark://host:7077` (`spark.master`). Default: this machine."""
    spark: dict[SparkSetting, ConfigValue] = Field(default_factory=dict)
    """Spark settings, such as `spark.executor.memory: 4g`."""
    run: Text | None = None
    """Any text. After it changes, the next `pulumi up` compares again."""
