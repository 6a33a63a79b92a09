"""The policy pack. Its constructor serves the engine and returns only when Pulumi is done."""

from pulumi_policy import PolicyPack

from policies.topics import TOPIC_RULES

PolicyPack(name="mirrorstack", policies=[*TOPIC_RULES])
