# Every target installs what it needs first; `make help` lists the targets.
PYTHON ?= python3
# Most tests wait for Kafka, Connect or Pulumi, so two processes run them, file by file, each with a
# sandbox of its own.
WORKERS ?= 2
ROUNDS ?= 50
PYTEST := pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
TESTS := tests/integration tests/e2e tests/policies tests/unit
ACTIVATED := . ./activate &&
# Replaces a file with a command's output, but only if the command succeeds.
written = $(ACTIVATED) $(1) > .mirrorstack/written && mv .mirrorstack/written $(2)
export PYTHON

.PHONY: help setup docker kubernetes demo down doctor check browser test test-all test-platforms test-fast soak docs catalogue lock
.DEFAULT_GOAL := help

# Another Python, as in `make test-fast PYTHON=python3.13`, gets its own environment beside .venv.
ifeq ($(origin PYTHON),command line)
test-fast: export MIRRORSTACK_VENV := .venv-$(notdir $(PYTHON))
endif

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

setup:  ## install what is missing: packages, Pulumi, its plugin, Kafka's and Spark's jars
	@$(PYTHON) -m toolchain setup

docker:  ## install Pulumi's Docker plugin, which stacks with `runtime: docker` need
	@$(PYTHON) -m toolchain docker

kubernetes:  ## install Pulumi's Kubernetes plugin, which stacks with `runtime: kubernetes` need
	@$(PYTHON) -m toolchain kubernetes

demo: setup  ## start two Kafka clusters, replicate with `pulumi up -s local`, and verify
	@$(ACTIVATED) mirrorstack demo

down:  ## stop the workers and sandboxes of this clone
	@if [ -x .venv/bin/mirrorstack ]; then .venv/bin/mirrorstack down; \
	else echo "This clone is not set up; nothing is running."; fi

doctor:  ## list every installed part with version, origin and errors
	@$(PYTHON) -m toolchain doctor

check: setup  ## check format, lint and types
	@$(ACTIVATED) ruff format --check . && ruff check . && mypy && mypy docs/embedding/__main__.py

browser:  ## install Chromium, which only the tests need
	@$(PYTHON) -m toolchain browser

test: check browser  ## run what a change must pass: checks, unit, policies, integration, e2e
	@$(ACTIVATED) $(PYTEST) -m "not slow" $(TESTS)

test-all: check browser  ## run the slow tests too: topologies, every ACL, every failure
	@$(ACTIVATED) $(PYTEST) $(TESTS)

test-platforms: check docker  ## run workers on a real Docker daemon and a real Kubernetes node; as root
	@$(ACTIVATED) pytest tests/platforms

test-fast: check  ## run the unit tests, which need neither network nor Kafka
	@$(ACTIVATED) pytest tests/unit

soak: check  ## run fifty seeded rounds of failures under exactly-once, each verified
	@$(ACTIVATED) SOAK_ROUNDS=$(ROUNDS) pytest -v tests/integration/test_soak.py

docs: setup  ## generate schemas, docs/stack-file.md, docs/policies.md and the rules in docs/lint.md
	@$(call written,mirrorstack schema,stacks/schema.json)
	@$(call written,mirrorstack schema stack-file --format markdown,docs/stack-file.md)
	@$(call written,mirrorstack schema report,docs/report.schema.json)
	@$(call written,python -m policies.reference page,docs/policies.md)
	@$(call written,python -m mirrorstack.lint.reference docs/lint.md,docs/lint.md)
	@$(call written,python -m policies.reference schema,policies/config.schema.json)

catalogue: setup  ## generate mirrorstack/mm2/catalogue.json from Kafka's classes
	@$(call written,python -m mirrorstack.sandbox.config_defs,mirrorstack/mm2/catalogue.json)

lock:  ## resolve the Python dependencies again, with hashes
	@$(PYTHON) -m toolchain lock
