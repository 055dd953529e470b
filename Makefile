# Two commands do everything on a fresh machine: `make audit` and `make test`.
# Each makes its own .venv from the hashed lock, and is quick the second time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help audit test proofs mutants bench docs format lock clean

help: ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(BIN)/python:
	@echo "== creating $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements.lock pyproject.toml | $(BIN)/python
	@echo "== installing the locked packages"
	@$(PIP) install --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock requirements-template.lock $(VENV)/.runtime
	@echo "== installing the locked development packages"
	@$(PIP) install --require-hashes -r requirements-dev.lock
	@$(PIP) install --require-hashes --no-deps --upgrade --target $(VENV)/template -r requirements-template.lock
	@touch $@

audit: $(VENV)/.runtime ## judge every claim of the paper, with progress
	@$(BIN)/asura audit

test: $(VENV)/.dev ## format, lint, types, order of imports, dead code, doctests and tests, on all cores
	@echo "== ruff"
	@$(BIN)/ruff format --check . && $(BIN)/ruff check .
	@echo "== mypy --strict"
	@$(BIN)/mypy
	@echo "== lint-imports"
	@$(BIN)/lint-imports --no-cache --no-logo
	@echo "== vulture"
	@$(BIN)/vulture
	@echo "== pytest"
	@$(BIN)/python -m pytest -q -n auto

proofs: $(VENV)/.runtime ## rebuild the machine-checked proofs and compare them with their record (needs Coq)
	@$(BIN)/python -m asura_verify.proofs check

mutants: $(VENV)/.dev ## judge new, changed and surviving mutants of sampler, arithmetics and judge
	@$(BIN)/python -m tests.mutation run

bench: $(VENV)/.dev ## print ratios of running times, measured in one run
	@$(BIN)/python -m tests.benchmarks
	@$(BIN)/python -m tests.benchmarks.traces
	@$(BIN)/python -m tests.benchmarks.startup

docs: $(VENV)/.dev ## build the site into build/site; a broken link is an error
	@$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/site
	@echo "open build/site/index.html"

format: $(VENV)/.dev ## let ruff format and fix
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

lock: $(VENV)/.dev ## make the lock files anew, without index addresses
	@$(PIP) install pip-tools uv
	@$(BIN)/python .ci/lock.py

clean: ## remove the environment and caches
	rm -rf $(VENV) .import_linter_cache .mypy_cache .ruff_cache .pytest_cache .hypothesis audit build
