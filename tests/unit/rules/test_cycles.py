"""Cycles of flows, and which topics pass them."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.rules.cycles import no_connector_cycles, no_replication_cycles
from mirrorstack.rules.subjects import Declaration, DeployedFlows, Flows
from mirrorstack.rules.topology import route_of


def flow(source: str, target: str, *topics: str, **more: Any) -> dict[str, Any]:
    chosen = {"from": source, "to": target, "topics": list(topics) or ["orders"]}
    return {**chosen, "naming": "identity", **more}


def address(name: str) -> dict[str, Any]:
    who = {"mirror": "m", "admin": "a"}
    return {"bootstrap-servers": [f"{name}.example:9093"], "principals": who}


def stack(*flows: dict[str, Any], **clusters: dict[str, Any]) -> StackSettings:
    aliases = [alias for each in flows for alias in (each["from"], each["to"])]
    known = {alias: address(alias) for alias in aliases} | clusters
    return parse({"clusters": known, "flows": list(flows)}, "stack")


def found(settings: StackSettings, **peers: StackSettings) -> list[str]:
    flows = Flows.of(Declaration(settings, peers))
    return [str(finding) for finding in no_replication_cycles.findings(flows)]


class TestCycles:
    def test_two_opposite_flows_with_one_topic_are_found_with_its_name(self) -> None:
        (message,) = found(stack(flow("east", "west"), flow("west", "east", "clicks", "orders")))

        assert "Flows east-to-west and west-to-east form a cycle, east -> west -> east" in message
        assert "all of them replicate the topic orders" in message
        assert "fix: use `naming: prefixed`, which is DefaultReplicationPolicy" in message

    def test_one_direction_is_no_cycle(self) -> None:
        assert found(stack(flow("east", "west"), flow("west", "south"))) == []

    def test_a_cycle_through_a_third_and_a_fourth_cluster_counts(self) -> None:
        three = stack(flow("a", "b"), flow("b", "c"), flow("c", "a"))
        four = stack(flow("a", "b"), flow("b", "c"), flow("c", "d"), flow("d", "a"))

        assert "a -> b -> c -> a" in found(three)[0]
        assert "a -> b -> c -> d -> a" in found(four)[0]

    def test_a_cycle_in_which_one_flow_does_not_select_the_topic_passes(self) -> None:
        assert found(stack(flow("a", "b"), flow("b", "c", "clicks"), flow("c", "a"))) == []

    def test_each_cycle_is_reported_once_and_a_mesh_ten_times_at_most(self) -> None:
        names = [f"c{number}" for number in range(6)]
        mesh = stack(*(flow(one, other, ".*") for one in names for other in names if one != other))

        messages = found(mesh)

        assert len(messages) == 10
        assert len(set(messages)) == 10

    def test_two_aliases_of_one_cluster_close_a_cycle(self) -> None:
        again = stack(flow("east", "west"), flow("west", "home"), home=address("east"))

        assert len(found(again)) == 1


class TestPeers:
    def test_a_cycle_across_stacks_names_the_peer(self) -> None:
        here, there = stack(flow("east", "west")), stack(flow("west", "east"))

        flows = Flows.of(Declaration(here, {"Pulumi.dr.yaml": there}))
        (finding,) = no_replication_cycles.findings(flows)
        message = finding.message

        assert "west-to-east of Pulumi.dr.yaml" in message
        assert (finding.flow, finding.topic, finding.path) == (
            "east-to-west",
            "orders",
            ("flows", 0),
        )

    def test_a_peer_may_use_other_aliases(self) -> None:
        there = stack(flow("dr", "main"), dr=address("west"), main=address("east"))

        assert len(found(stack(flow("east", "west")), dr=there)) == 1

    def test_the_same_alias_for_another_cluster_closes_no_cycle(self) -> None:
        there = stack(flow("west", "east"), east=address("lab-1"), west=address("lab-2"))

        assert found(stack(flow("east", "west")), lab=there) == []

    def test_clusters_of_one_sandbox_are_the_same(self) -> None:
        def of(sandbox: str) -> dict[str, Any]:
            return {each: {"sandbox": sandbox} for each in ("east", "west")}

        here = stack(flow("east", "west"), **of("a"))

        assert len(found(here, same=stack(flow("west", "east"), **of("a")))) == 1
        assert found(here, other=stack(flow("west", "east"), **of("b"))) == []

    def test_one_address_in_common_is_enough(self) -> None:
        more = address("east") | {"bootstrap-servers": ["new.example:9093", "EAST.example:9093"]}

        assert (
            len(found(stack(flow("east", "west")), p=stack(flow("west", "east"), east=more))) == 1
        )


class TestTopics:
    def test_patterns_that_match_a_common_name_are_found_with_it(self) -> None:
        (message,) = found(stack(flow("east", "west", "orders.*"), flow("west", "east", ".*-eu")))

        assert "`orders.*` of east-to-west and `.*-eu` of west-to-east match the same" in message
        assert "such as orders-eu" in message

    def test_disjoint_patterns_pass(self) -> None:
        assert found(stack(flow("east", "west", "east-.*"), flow("west", "east", "west-.*"))) == []

    def test_an_excluded_topic_is_not_replicated(self) -> None:
        there = flow("east", "west", ".*", exclude=["west-.*"])

        assert found(stack(there, flow("west", "east", "west-.*"))) == []

    def test_mirror_maker_s_own_exclusions_apply(self) -> None:
        own = ("__.*", r"mm2.*\.internal", r".*\.replica", r".*\.checkpoints\.internal")

        assert found(stack(flow("east", "west", *own), flow("west", "east", ".*"))) == []

    def test_heartbeats_get_a_prefix_under_identity_naming_and_pass_once(self) -> None:
        beats = (flow("east", "west", ".*heartbeats"), flow("west", "east", ".*heartbeats"))

        assert found(stack(*beats)) == []

    @pytest.mark.parametrize("pattern", [r"(.)\1", "(?<=a)b.*"])
    def test_a_pattern_that_cannot_be_compared_counts_as_overlapping(self, pattern: str) -> None:
        (message,) = found(stack(flow("east", "west", pattern), flow("west", "east", "clicks")))

        assert f"`{pattern}` of east-to-west cannot be compared with other patterns" in message

    def test_an_exclusion_that_cannot_be_compared_excludes_nothing(self) -> None:
        there = flow("east", "west", ".*", exclude=[r"(.)\1.*"])

        assert len(found(stack(there, flow("west", "east", "oorders")))) == 1

    def test_three_hundred_names_in_each_direction_are_compared_name_by_name(self) -> None:
        east, west = ([f"{end}-{number}" for number in range(300)] for end in ("east", "west"))

        assert found(stack(flow("east", "west", *east), flow("west", "east", *west))) == []
        assert len(found(stack(flow("east", "west", *east), flow("west", "east", *west, "east-7"))))


class TestNaming:
    def test_prefixed_names_show_their_origin_and_end_the_cycle(self) -> None:
        both = [flow(*ends, ".*", naming="prefixed") for ends in (("a", "b"), ("b", "a"))]

        assert found(stack(*both)) == []

    def test_one_prefixed_flow_ends_a_cycle_of_named_topics(self) -> None:
        assert found(stack(flow("a", "b"), flow("b", "a", naming="prefixed"))) == []

    def test_one_prefixed_flow_in_a_cycle_of_all_topics_makes_ever_longer_names(self) -> None:
        (message,) = found(stack(flow("a", "b", ".*"), flow("b", "a", ".*", naming="prefixed")))

        assert "topics pass it under ever longer names, such as b." in message

    def test_different_separators_make_ever_longer_names(self) -> None:
        there = flow("a", "b", ".*", naming="prefixed")
        back = flow("b", "a", ".*", naming="prefixed", separator="_")

        (message,) = found(stack(there, back))

        assert "ever longer names" in message
        assert "The flows name topics in different ways" in message

    def test_one_separator_for_both_directions_ends_the_cycle(self) -> None:
        both = [
            flow(*ends, ".*", naming="prefixed", separator="-") for ends in (("a", "b"), ("b", "a"))
        ]

        assert found(stack(*both)) == []

    @pytest.mark.parametrize(
        ("name", "cycles"),
        [("{source}_{topic}", 0), ("{topic}@{source}", 0), ("{topic}", 1), ("dr-{topic}", 1)],
    )
    def test_a_policy_of_ones_own_ends_the_cycle_if_its_names_show_the_source(
        self, name: str, cycles: int
    ) -> None:
        own = {"class": "com.example.Own", "jar": "own.jar", "name": name.replace("@", ".")}
        both = [flow(*ends, ".*", naming="custom", policy=own) for ends in (("a", "b"), ("b", "a"))]

        messages = found(stack(*both))

        assert len(messages) == cycles
        assert all("The names that com.example.Own gives" in message for message in messages)


class TestConnectors:
    def connector(self, source: str, target: str, **more: str) -> dict[str, str]:
        return {
            "source.cluster.alias": source,
            "target.cluster.alias": target,
            "source.cluster.bootstrap.servers": f"{source}:9093",
            "target.cluster.bootstrap.servers": f"{target}:9093",
            "replication.policy.class": "any.IdentityReplicationPolicy",
            **more,
        }

    def messages(self, *configs: dict[str, str]) -> list[str]:
        made = [route_of(config, str(number), None) for number, config in enumerate(configs)]
        return [str(finding) for finding in no_connector_cycles.findings(DeployedFlows(made))]

    def test_absent_topics_are_mirror_maker_s_default_which_is_all(self) -> None:
        assert len(self.messages(self.connector("a", "b"), self.connector("b", "a"))) == 1

    def test_topics_are_split_as_kafka_splits_them(self) -> None:
        one, two = self.connector("a", "b", topics="x, y"), self.connector("b", "a", topics="z,y ")

        assert "the topic y" in self.messages(one, two)[0]

    def test_an_unknown_policy_class_may_keep_the_names(self) -> None:
        own = {"replication.policy.class": "com.example.OurPolicy"}

        assert self.messages(self.connector("a", "b", **own), self.connector("b", "a", **own))

    def test_an_absent_policy_class_is_mirror_maker_s_default(self) -> None:
        both = [self.connector("a", "b"), self.connector("b", "a")]
        for config in both:
            del config["replication.policy.class"]

        assert self.messages(*both) == []

    def test_a_pattern_that_java_cannot_read_counts_as_overlapping(self) -> None:
        assert self.messages(self.connector("a", "b", topics="["), self.connector("b", "a"))
