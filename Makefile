# Every target is one command on a fresh machine: it gets what it needs first.
SHELL := /bin/bash
.DEFAULT_GOAL := help
STACK ?= dev
export UV_PYTHON_DOWNLOADS := never

UV := $(shell command -v uv || echo .tools/bin/uv)
RUN := .venv/bin
SOURCES := __main__.py gpufleet components policies stacks tests tools

.PHONY: help up sync plan rehearse check test bench mutate fix golden docs build clean

help: ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

up: sync ## set up, plan dev, find or build the engine, rehearse dev
	@$(RUN)/gpufleet plan dev
	@$(RUN)/gpufleet rehearse dev || { status=$$?; [ $$status -eq 3 ]; }

sync: .venv/.synced ## install the locked environment (compiled: a plan is mostly imports)

.venv/.synced: pyproject.toml uv.lock | $(filter .tools/bin/uv,$(UV))
	@$(UV) sync --locked --all-extras --compile-bytecode --quiet
	@$(RUN)/python -m compileall -q gpufleet components stacks policies
	@touch $@

.tools/bin/uv:
	@python3 -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit(f"Python 3.11 or newer is needed, python3 is {v.major}.{v.minor}")'
	@echo "uv is not here: installing it with pip into .tools/"
	@python3 -m venv .tools && .tools/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1'

plan: sync ## plan STACK (dev by default)
	@$(RUN)/gpufleet plan $(STACK)

rehearse: sync ## rehearse STACK on the real engine
	@$(RUN)/gpufleet rehearse $(STACK)

check: sync lint ## what one runs all the time: lint, types, architecture, the quick tests
	@$(RUN)/pytest -n 2 -m "not engine and not slow"

.PHONY: lint
lint: sync
	@$(RUN)/ruff format --check --quiet $(SOURCES)
	@$(RUN)/ruff check --quiet $(SOURCES)
	@$(RUN)/lint-imports --no-logo >/tmp/gpufleet-lint-imports.$$$$ 2>&1 || { cat /tmp/gpufleet-lint-imports.$$$$; exit 1; }; rm -f /tmp/gpufleet-lint-imports.$$$$
	@$(RUN)/pyright --warnings

test: sync lint ## all of it, the engine included: what CI runs
	@$(RUN)/pytest -n 2 --dist loadgroup

bench: sync ## ratios: plans against bare imports, the rules against a scanner, the search against its floor
	@$(RUN)/python -m tools.bench
	@$(RUN)/python -m tools.bench_policies
	@$(RUN)/python -m tools.bench_sizing
	@$(RUN)/python tools/controlplane/bench.py --cold

mutate: sync ## flip every security-relevant input of the plans: the share that some rule catches, and what survives
	@$(RUN)/python -m tools.mutate

fix: sync ## format and mend what can be mended
	@$(RUN)/ruff format $(SOURCES) && $(RUN)/ruff check --fix $(SOURCES)

golden: sync ## rewrite the golden files; read the diff before you commit it
	@GPUFLEET_GOLDEN=write $(RUN)/pytest -n 2 --dist loadgroup -k golden

docs: sync ## rewrite the generated part of docs/reference
	@$(RUN)/python -m tools.generate_reference

build: sync ## the wheel
	@$(UV) build --wheel --quiet

clean: ## remove what the other targets made here
	@rm -rf .venv .tools .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist
