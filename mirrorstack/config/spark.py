"""Spark's own settings, as far as a stack may choose them: what its cluster needs, and how much."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator

from mirrorstack.config.strict import Text

SECRET = r"(?i)secret|password|passwd|token|jaas|credential|access[.]?key"  # noqa: S105
FIXED = {
    # Should somebody switch the web page on: neither options nor plans show how we log in.
    "spark.redaction.regex": SECRET,
    "spark.sql.redaction.options.regex": SECRET,
    "spark.sql.redaction.string.regex": SECRET,
    # Sums of hashes wrap around on purpose.
    "spark.sql.ansi.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.catalogImplementation": "in-memory",
}
"""What the comparison relies on."""


def spark_setting(name: str) -> str:
    """The name of a setting that may be chosen."""
    if not name.startswith("spark."):
        raise ValueError(f"Spark's settings begin with spark., as in spark.{name}")
    if name == "spark.master":
        raise ValueError("it has a word of its own: master")
    if name in FIXED or name == "spark.jars":
        raise ValueError("the comparison relies on its own value")
    if re.search(SECRET, name):
        raise ValueError(
            "it looks like a secret, and would be in plain here and on a command line; put it into "
            "spark-defaults.conf, in a directory that SPARK_CONF_DIR names"
        )
    return name


SparkSetting = Annotated[Text, AfterValidator(spark_setting)]
