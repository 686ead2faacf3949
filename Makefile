# `make run` and `make test` need Python 3.11 or newer and make, nothing else: see `make help`.

VENV := .venv
PYTHON := $(VENV)/bin/python
SOURCES := layers tests bench

# What to ingest: a JSON file for `make run`, LoCoMo's file for `make bench-locomo`.
CONVERSATION ?=
CONVERSATIONS ?=
FACTS ?=
PYTEST_ARGS ?= -n 2
export CONVERSATION CONVERSATIONS FACTS

# What another environment left in the shell must not reach this one.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

.DEFAULT_GOAL := help
.PHONY: help run test test-long lint format lock clean bench-locomo bench-shards bench-ingestion
.DELETE_ON_ERROR:

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-24s%s\n", $$1, $$2 }'

run: $(VENV)/installed-local ## ingest the sample or CONVERSATION=path, ask its questions, print what was found
	@$(PYTHON) -m cognis_local.cli run $${CONVERSATION:+"$$CONVERSATION"}

test: lint ## check the code and run the tests
	$(PYTHON) -m pytest -m "not long" $(PYTEST_ARGS)

test-long: $(VENV)/installed-dev ## run the tests that take minutes
	$(PYTHON) -m pytest -m long $(PYTEST_ARGS)

lint: $(VENV)/installed-dev ## check style, formatting, types and the direction of imports
	$(PYTHON) -m ruff check $(SOURCES)
	$(PYTHON) -m ruff format --check $(SOURCES)
	$(PYTHON) -m mypy
	$(VENV)/bin/lint-imports

format: $(VENV)/installed-dev ## format the code and mend what can be mended without thought
	$(PYTHON) -m ruff check --fix $(SOURCES)
	$(PYTHON) -m ruff format $(SOURCES)

bench-locomo: $(VENV)/installed-dev ## retrieval on LoCoMo: CONVERSATIONS=path [FACTS=rules|observations|none]
	@$(PYTHON) bench/locomo.py "$${CONVERSATIONS:?name the file: make bench-locomo CONVERSATIONS=path}" \
		--facts "$${FACTS:-rules}"

bench-shards: $(VENV)/installed-dev ## size, speed and recall of user shards of 100 to 50,000 memories
	$(PYTHON) bench/shards.py

bench-ingestion: $(VENV)/installed-dev ## messages per second by stage, and memory over many messages
	$(PYTHON) bench/ingestion.py

lock: ## write requirements/ anew from pyproject.toml; UPGRADE=1 takes the newest versions
	sh requirements/lock.sh $(if $(UPGRADE),--upgrade)

clean: ## remove the environment and caches; memories stay
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

# Touched only after every step of the install succeeded, so that an interrupted one is begun again.
$(VENV)/installed-%: requirements/%.txt requirements/install.sh pyproject.toml
	@sh requirements/install.sh $(VENV) requirements/$*.txt
	@touch $@
