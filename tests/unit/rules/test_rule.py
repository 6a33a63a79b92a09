"""What a rule adds to the findings of its check."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mirrorstack.findings import Finding, Severity
from mirrorstack.rules.rule import Level, rule


@pytest.mark.parametrize(
    ("level", "severity"),
    [
        (Level.MANDATORY, Severity.ERROR),
        (Level.REMEDIATE, Severity.ERROR),
        (Level.ADVISORY, Severity.WARNING),
    ],
)
def test_a_finding_has_the_id_and_severity_of_its_rule(level: Level, severity: Severity) -> None:
    @rule(int, id="no-zero", title="Not zero.", reason="It divides.", level=level)
    def no_zero(number: int) -> Iterator[Finding]:
        if number == 0:
            yield Finding("is 0", path=("number",))

    assert list(no_zero.findings(1)) == []
    (finding,) = no_zero.findings(0)
    assert (finding.rule, finding.severity, finding.path) == ("no-zero", severity, ("number",))
