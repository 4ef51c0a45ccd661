# Workroom: every target works in a fresh clone on a machine with Python 3.11+ and make.
SHELL  := /bin/bash
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
LEAN   := $(VENV)/.lean
APP    := $(VENV)/.web
SITE   := $(VENV)/.docs
ROWS   ?=
PEERS  ?=
CHECK  ?=
SEED   ?=
PROCESSES ?= 3
MINUTES ?= 30

export PYTHONDONTWRITEBYTECODE := 1

.DEFAULT_GOAL := help
.PHONY: help install web programs demo test test-library check check-python check-web bench bench-peers faults soak docs fmt lock dist audit clean

help: ## Explain the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:[^#]*## /\t/' | expand -t 14

install: $(STAMP) $(APP) $(SITE) ## Make .venv with workroom and everything it needs, and build web app and documentation

# What the demo needs. The development tools are added to it by the other targets.
$(LEAN): requirements-demo.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Workroom needs Python 3.11 or newer; '$(PYTHON)' is older. Try: make install PYTHON=python3.12"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "Python has no venv; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@scripts/install.sh requirements-demo.lock $(VENV)
	@touch $@

$(STAMP): requirements.lock pyproject.toml | $(LEAN)
	@scripts/install.sh requirements.lock $(VENV)
	@touch $@

web: $(APP) ## Build the web app, with the Node of .venv

$(APP): $(LEAN) $(shell find web -name node_modules -prune -o -name generated -prune -o -name e2e -prune -o -type f -print)
	@echo "Building the web app, with the packages of web/package-lock.json ..."
	@$(BIN)/python hatch_build.py
	@touch $@

# The site at /docs. A page with a dead link does not stop an install: `make docs` refuses it.
$(SITE): $(LEAN) mkdocs.yml $(shell find docs -name __pycache__ -prune -o -type f -print)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --no-strict --quiet
	@touch $@

# The account and the folder are those of src/workroom/store/embedded/os_user.py and domain/data_folder.py.
AS_ROOT = $(shell if [ "$$(id -u)" = 0 ]; then echo "As root it also makes the system account 'workroom', because PostgreSQL refuses to run as root, and the folder /var/lib/workroom."; else echo "Nothing else of this machine is changed."; fi)

.PHONY: what-the-demo-does
what-the-demo-does:
	@test -e $(LEAN) -a -e $(APP) || echo "The demo first installs Python packages into $(VENV) (about 900 MB) and builds the web app with npm packages in web/node_modules (about 450 MB). $(AS_ROOT) Then it starts a server with temporary data and opens the browser."

programs:
	@scripts/programs.sh

demo: what-the-demo-does $(LEAN) $(APP) $(SITE) ## Run the demo (CHECK=1: drive one job of each kind to its result, then exit)
	@$(BIN)/workroom demo $(if $(CHECK),--check)

test: install programs ## Run all tests (real PostgreSQL, real processes, throw-away data)
	@$(BIN)/python -m compileall -q src # the tests start hundreds of processes
	@$(BIN)/python -m pytest -m "not full" --numprocesses $(PROCESSES) --dist loadfile --no-loadscope-reorder --max-worker-restart 1

test-library: export WORKROOM_TRANSPORT = library
test-library: test ## Run all tests with the WebSocket transport of python-engineio instead of Workroom's

check: install ## Lint, layers, types and formatting
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target check-python check-web

check-python:
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@PYTHONPATH=src $(BIN)/lint-imports --no-cache
	@$(BIN)/basedpyright --warnings

check-web:
	@$(BIN)/python hatch_build.py run check

bench: install ## Measure speed (ROWS=P1,P6 picks rows); writes bench/results.json
	@$(BIN)/python -m bench $(if $(ROWS),--rows $(ROWS))

# One test of the campaign may take half an hour.
CAMPAIGN := WORKROOM_TEST_QUIET=1 $(BIN)/python -m pytest -s --timeout 3600 -o faulthandler_timeout=3700

bench-peers: install ## The same work on nine other queues from the index (PEERS=celery,rq: some); writes bench/peers.json
	@$(BIN)/python -m bench.peer_race $(if $(PEERS),--peers $(PEERS))

faults: install ## The complete fault campaign, and all tests marked full (SEED=n repeats a run)
	@scripts/programs.sh all
	@$(if $(SEED),WORKROOM_FAULT_SEED=$(SEED)) $(CAMPAIGN) -m "full or not full" tests/faults
	@$(CAMPAIGN) -m full tests --ignore tests/faults
	@$(CAMPAIGN) -m "not full" tests/acceptance/accounts/test_rights_end.py tests/acceptance/server/requests/test_request_bombs.py

soak: install ## Random faults under load for MINUTES=30, then a check of what is left (SEED=n repeats a run)
	@$(BIN)/python -m tests.soak --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

docs: install ## Renew the reference pages that are made from the code, and build the site that the server serves at /docs
	@$(BIN)/python -m docs.render
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@touch $(SITE)

fmt: install ## Format the code and sort the imports
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

lock: install ## Renew requirements.lock and requirements-demo.lock from pyproject.toml
	@$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --generate-hashes --universal --upgrade \
	  --python-version 3.11 --no-emit-index-url --no-annotate --no-header --quiet --output-file requirements.lock
	@$(BIN)/uv pip compile pyproject.toml requirements-demo.in --extra server --extra atoms --constraint requirements.lock \
	  --generate-hashes --universal --python-version 3.11 --no-emit-index-url --no-annotate --no-header --quiet \
	  --output-file requirements-demo.lock

dist: install docs ## Build wheel and sdist into dist/, check them, and try the wheel in fresh environments
	@rm -rf dist
	@$(BIN)/uv build --quiet --sdist --out-dir dist
	@WORKROOM_WEB=built $(BIN)/uv build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir dist
	@$(BIN)/twine check --strict dist/*
	@$(BIN)/python scripts/try_wheel.py dist

audit: install ## Look the locked dependencies up in the vulnerability database
	@$(BIN)/pip-audit --requirement requirements.lock --disable-pip

clean: ## Remove what the other targets made
	@rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis bench/results.json bench/peers-partial.json .demo .bench-peers
	@rm -rf web/node_modules web/src/generated src/workroom/server/static src/workroom/server/docs_site
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
