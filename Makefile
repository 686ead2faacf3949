# `make run` and `make test` need Python 3.11 or newer and make, nothing else: see `make help`.

VENV := .venv
PYTHON := $(VENV)/bin/python
SOURCES := cdk functions layers tests bench

# What to ingest: a JSON file for `make run`, LoCoMo's file for `make bench-locomo`.
CONVERSATION ?=
# What `make synth` synthesises.
STAGE ?= prod
# Where `make run` listens, 4566 where it is not set; what `make logs` and `make executions` show.
PORT ?=
FUNCTION ?=
FOLLOW ?=
EVENT ?=
LAST ?=
# What `make run` extracts with: a server such as http://127.0.0.1:8000/v1, or the rules where it is not set.
LLM ?=
LLM_MODEL ?=
# What `make run` searches in, `shards` where it is not set, and the OpenSearch that `make opensearch` starts.
SEARCH ?=
LINE ?=
# Of the node of `make bench-opensearch`.
HEAP ?=
CONVERSATIONS ?=
# How many documents `make bench-opensearch` fills an index with, one number or several.
DOCUMENTS ?=
FACTS ?=
# Further options of `make bench-qa`.
QA ?=
# Tests of one group share the stack that they start.
PYTEST_ARGS ?= -n 2 --dist loadgroup
export CONVERSATION CONVERSATIONS DOCUMENTS EVENT FACTS FUNCTION HEAP LAST LINE LLM LLM_MODEL PORT SEARCH STAGE

# What another environment left in the shell must not reach this one.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

.DEFAULT_GOAL := help
.PHONY: help run stop logs executions events opensearch opensearch-stop synth test test-long lint format lock clean
.PHONY: bench-api bench-cold-start bench-concurrency bench-load bench-locomo bench-opensearch bench-qa bench-shards bench-ingestion
.DELETE_ON_ERROR:

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@@\2/p' Makefile | awk -F'@@' '{ printf "%-24s%s\n", $$1, $$2 }'

run: $(VENV)/installed-emulator ## the whole application on this machine, with the sample or CONVERSATION=path; PORT=4566, SEARCH=opensearch, LLM=http://…/v1
	@exec $(PYTHON) -m cognis_local.stack run --end-with-parent $${CONVERSATION:+"$$CONVERSATION"}

stop: ## end what `make run` keeps up; all data stays
	@if [ -e $(VENV)/installed-emulator ]; then $(PYTHON) -m cognis_local.stack stop; \
	else echo "Nothing was running."; fi

logs: $(VENV)/installed-emulator ## what its functions log: [FUNCTION=retrieve] [FOLLOW=1]
	@$(PYTHON) -m cognis_local.stack logs $(if $(FOLLOW),--follow) $${FUNCTION:+"$$FUNCTION"}

executions: $(VENV)/installed-emulator ## its last executions, state by state: [LAST=5] or EVENT=evt_…
	@$(PYTHON) -m cognis_local.stack executions $${LAST:+--last "$$LAST"} $${EVENT:+"$$EVENT"}

opensearch: $(VENV)/installed-emulator ## an OpenSearch node on this machine: [PORT=9200] [LINE=2.19|3.5]
	@$(PYTHON) -m cognis_local.opensearch start

opensearch-stop: ## end that node; its data stays
	@if [ -e $(VENV)/installed-emulator ]; then $(PYTHON) -m cognis_local.opensearch stop; \
	else echo "Nothing was running."; fi

events: $(VENV)/installed-dev ## play each sample of events/ through its function, on AWS in memory
	@$(PYTHON) tests/support/play_events.py

test: lint ## check the code and run the tests
	$(PYTHON) -m pytest -m "not long" $(PYTEST_ARGS)

test-long: $(VENV)/installed-dev ## run the tests that take minutes
	$(PYTHON) -m pytest -m long $(PYTEST_ARGS)

synth: $(VENV)/installed-emulator ## CloudFormation templates of STAGE=prod|payperuse|local, in .local/cdk.out
	@$(PYTHON) cdk/app.py "$$STAGE"

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

bench-qa: $(VENV)/installed-dev ## questions answered from memory: CONVERSATIONS=path QA=--scripted, or LLM=http://…/v1 [LLM_MODEL=name] [QA="…"]
	@$(PYTHON) bench/qa.py "$${CONVERSATIONS:?name the file: make bench-qa CONVERSATIONS=path}" \
		$${LLM:+--llm "$$LLM"} $${LLM_MODEL:+--model "$$LLM_MODEL"} $(QA)

bench-shards: $(VENV)/installed-dev ## size, speed and recall of user shards of 100 to 50,000 memories
	$(PYTHON) bench/shards.py

bench-opensearch: $(VENV)/installed-dev ## an OpenSearch index of 10,000 and 100,000 documents, or DOCUMENTS="…"; [LINE=2.19|3.5] [HEAP=4g]
	$(PYTHON) bench/opensearch.py $${DOCUMENTS:+--documents $$DOCUMENTS} $${LINE:+--line "$$LINE"} $${HEAP:+--heap "$$HEAP"}

bench-cold-start: $(VENV)/installed-dev ## a new process of the retrieve function beside boto3, and how large each function is
	@PYTHONPATH=cdk $(PYTHON) bench/cold_start.py

bench-concurrency: $(VENV)/installed-dev ## many users at once beside one alone, and many requests of one user
	$(PYTHON) bench/concurrency.py

bench-ingestion: $(VENV)/installed-dev ## messages per second by stage, and memory over many messages
	$(PYTHON) bench/ingestion.py

bench-api: $(VENV)/installed-dev ## LoCoMo through the stack of `make run`, beside the same in process: CONVERSATIONS=path
	@$(PYTHON) bench/api.py "$${CONVERSATIONS:?name the file: make bench-api CONVERSATIONS=path}"

bench-load: $(VENV)/installed-dev ## 20 clients for 3 minutes on the stack of `make run`
	@$(PYTHON) bench/load.py

lock: ## write requirements/ anew from pyproject.toml; UPGRADE=1 takes the newest versions
	sh requirements/lock.sh $(if $(UPGRADE),--upgrade)

clean: ## end `make run`; remove its memories, the environment and caches
	@if [ -e $(VENV)/installed-emulator ]; then $(PYTHON) -m cognis_local.stack clean; fi
	rm -rf .local
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

# Touched only after every step of the install succeeded, so that an interrupted one is begun again.
$(VENV)/installed-%: requirements/%.txt requirements/install.sh pyproject.toml
	@sh requirements/install.sh $(VENV) requirements/$*.txt
	@touch $@
