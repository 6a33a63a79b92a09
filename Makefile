# What to type. Everything sets itself up first; `make help` lists the targets.
PYTHON ?= python3
# Most tests wait for Kafka, Connect or Pulumi: two at a time keep two cores busy. Those that share
# the sandbox stay in one process (tests/conftest.py), and the order stays as it is written.
WORKERS ?= 2
ROUNDS ?= 50
PYTEST := pytest -n $(WORKERS) --no-loadscope-reorder
TESTS := tests/integration tests/e2e tests/policies tests/unit
ACTIVATED := . ./activate &&
# What a command prints, put in place only when the command ended well.
written = $(ACTIVATED) $(1) > .mirrorstack/written && mv .mirrorstack/written $(2)
export PYTHON

.PHONY: help setup demo down doctor check browser test test-all test-fast soak docs catalogue lock
.DEFAULT_GOAL := help

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

setup:  ## get what is missing: packages, Pulumi, its plugin, Kafka's and Spark's jars
	@$(PYTHON) -m toolchain setup

demo: setup  ## two real Kafka clusters, hard data, `pulumi up -s local` that mirrors it, and proof
	@$(ACTIVATED) mirrorstack demo

down:  ## stop the workers and sandboxes of this clone; nothing is left running
	@if [ -x .venv/bin/mirrorstack ]; then .venv/bin/mirrorstack down; \
	else echo "This clone is not set up, so nothing of it runs."; fi

doctor:  ## list every part, its version, where it came from and what is wrong with it
	@$(PYTHON) -m toolchain doctor

check: setup  ## format, lint and types only
	@$(ACTIVATED) ruff format --check . && ruff check . && mypy

browser:  ## get Chromium, in which tests open the report; nothing but tests needs it
	@$(PYTHON) -m toolchain browser

test: check browser  ## what a change must pass: format, lint, types, unit, policies, integration, e2e
	@$(ACTIVATED) $(PYTEST) -m "not slow" $(TESTS)

test-all: check browser  ## the same, with what takes many minutes: topologies, every grant, every mishap
	@$(ACTIVATED) $(PYTEST) $(TESTS)

test-fast: check  ## what needs neither network nor Kafka: seconds
	@$(ACTIVATED) pytest tests/unit

soak: check  ## fifty seeded rounds of mishaps under exactly-once, each of which must end equal
	@$(ACTIVATED) SOAK_ROUNDS=$(ROUNDS) pytest -v tests/integration/test_soak.py

docs: setup  ## write what is generated: schemas for editors, docs/stack-file.md, docs/policies.md
	@$(call written,mirrorstack schema,stacks/schema.json)
	@$(call written,mirrorstack schema --page,docs/stack-file.md)
	@$(call written,mirrorstack schema --report,docs/report.schema.json)
	@$(call written,python -m policies.reference page,docs/policies.md)
	@$(call written,python -m policies.reference schema,policies/config.schema.json)

catalogue: setup  ## write mirrorstack/mm2/catalogue.json from the real Kafka's classes
	@$(call written,python -m mirrorstack.sandbox.config_defs,mirrorstack/mm2/catalogue.json)

lock:  ## resolve the Python dependencies anew, with hashes
	@$(PYTHON) -m toolchain lock
