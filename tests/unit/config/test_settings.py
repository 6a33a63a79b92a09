"""A stack file's keys become settings, or one error with everything that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from mirrorstack.config.settings import check, parse
from mirrorstack.findings import UserError
from tests.unit.config.stacks import FILE, FLOW, error, stack

ROOT = Path(__file__).parents[3]


def test_the_template_of_the_local_stack_is_valid() -> None:
    template = yaml.safe_load((ROOT / "stacks" / "local.template.yaml").read_text())
    keys = {key.removeprefix("mirrorstack:"): value for key, value in template["config"].items()}

    assert parse(keys, FILE).flows[0].name == "east-to-west"


def test_settings_cannot_be_changed_after_parsing() -> None:
    settings = parse(stack(), FILE)

    with pytest.raises(ValueError, match="frozen"):
        settings.flows[0].topics = ()  # type: ignore[misc]


def test_what_settings_declare_parses_to_equal_settings() -> None:
    settings = parse(stack(workers={"west": {"count": 2}}, **{"smoke-test": {}}), FILE)

    assert parse(settings.declared(), FILE) == settings


def test_every_mistake_of_a_stack_file_is_reported_at_once() -> None:
    report = error(
        clusters={
            "east": {"sandbox": "a", "administer": "maybe"},
            "west": {"sandbox": "a", "bootstrap-servers": ["k:1"]},
        },
        flows=[
            {**FLOW, "to": "wset", "tasks": 0},
            {"from": "west", "to": "west", "topics": ["a(b"]},
        ],
        production="perhaps",
        productoin=True,
    )

    assert report == "\n".join(
        [
            f"error: {FILE}: productoin: unknown key",
            "fix: did you mean `production`?",
            f'error: {FILE}: clusters.east.administer: must be true or false, not "maybe"',
            "fix: write true or false",
            f"error: {FILE}: flows[0].tasks: must be at least 1, not 0",
            "fix: write 1 or more",
            f'error: {FILE}: flows[1].topics[0]: "a(b": not a valid Java regular expression: '
            "a group is not closed with )",
            "fix: correct the expression",
            f'error: {FILE}: production: must be true or false, not "perhaps"',
            "fix: write true or false",
            f"error: {FILE}: clusters.west: must have either `sandbox` or `bootstrap-servers`, "
            "and has both",
            "fix: name the sandbox, or list the addresses: "
            "`bootstrap-servers: [kafka-1.example:9093]`",
            f'error: {FILE}: flows[0].to: unknown cluster "wset" (clusters: east, west)',
            "fix: did you mean `west`?",
            f"error: {FILE}: flows[1].to: the flow would replicate west to itself",
            "fix: set `from` and `to` to different clusters",
        ]
    )


def test_an_invalid_value_of_a_cluster_is_the_only_finding_about_it() -> None:
    clusters = {"east": {"bootstrap-servers": 7}, "west": {"sandbox": "a"}}

    _, findings = check(stack(clusters=clusters))

    assert [finding.key for finding in findings] == ["clusters.east.bootstrap-servers"]


def test_settings_are_returned_next_to_findings_about_several_keys() -> None:
    settings, findings = check(stack(flows=[FLOW, FLOW]))

    assert settings is not None
    assert len(findings) == 1


@pytest.mark.parametrize("values", [{}, {"clusters": []}, {"clusters": 1, "flows": {"a": 1}}])
def test_values_of_any_shape_end_in_findings(values: dict[str, object]) -> None:
    settings, findings = check(values)

    assert settings is None
    assert findings


@pytest.mark.parametrize("flow", [None, 1, "x", [], {}, {1: 2}, {"from": None, "to": {}}])
def test_flows_of_any_shape_end_in_findings(flow: object) -> None:
    with pytest.raises(UserError):
        parse(stack(flows=[flow]), FILE)


def test_two_clusters_are_required() -> None:
    assert "clusters: must have at least 2 entries" in error(clusters={"east": {"sandbox": "a"}})


def test_an_alias_that_would_break_topic_names_is_an_error() -> None:
    clusters = {"ea.st": {"sandbox": "a"}, "west": {"sandbox": "a"}}

    assert "clusters.ea.st: may contain only letters, digits, _ and -" in error(clusters=clusters)
