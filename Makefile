# Needs Python 3.11 or newer with pip, and make. Every target does its own set-up, in .venv.

PYTHON ?= python3
# More options for what a target runs: make lock ARGS=--upgrade, make bench ARGS="--json bench.json"
ARGS ?=

# The extras of pyproject.toml that playing and testing need; each has its lock, requirements/NAME.txt.
PLAY_EXTRAS := web
TEST_EXTRAS := solve arena cluster gymnasium pettingzoo openspiel train

PLAY_LOCKS := $(patsubst %,requirements/%.txt,base build $(PLAY_EXTRAS))
TEST_LOCKS := $(patsubst %,requirements/%.txt,dev $(TEST_EXTRAS))

PY := .venv/bin/python
PIP_INSTALL := -m pip --disable-pip-version-check -qq install
# Stamps: what they are newer than is installed. A checkout that was moved or copied sets up anew,
# since a virtual environment holds its own path.
VENV := .venv/at-$(shell pwd | cksum | cut -d ' ' -f 1)
PLAY_READY := .venv/ready-to-play
TEST_READY := .venv/ready-to-test

MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
# The tools use the cores themselves, and `make -j` would take the keyboard away from a game.
.NOTPARALLEL:
.PHONY: help setup play test check-slow bench mutants dist lock format clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

setup: $(TEST_READY)  ## Set up .venv for playing, testing and developing

play: $(PLAY_READY)  ## Play in the browser: prints the page's address; Ctrl-C stops it
	@$(PY) -m muniment serve $(ARGS)

test: $(TEST_READY)  ## Check format, style, types and layers, and run the tests
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@.venv/bin/lint-imports --no-logo
	@$(PY) -m pytest -q -n auto -m "not slow" $(ARGS)

check-slow: $(TEST_READY)  ## Run the slow checks too long for `make test`; they go on where they stopped
	@$(PY) -m pytest -q -n 2 -m slow $(ARGS)

bench: $(TEST_READY)  ## Measure speed
	@$(PY) -m bench $(ARGS)

mutants: $(TEST_READY)  ## Change the rules' code bit by bit and list the changes that no test notices
	@$(PY) -m mutmut run $(ARGS)
	@$(PY) -m mutmut results

dist: $(TEST_READY)  ## Build the wheel and the source archive, and try the wheel in an empty environment
	@rm -rf dist
	@$(PY) -m build --no-isolation
	@set -e; away=$$(mktemp -d); trap 'rm -rf "$$away"' EXIT; \
	$(PY) -m venv "$$away"; \
	"$$away/bin/python" $(PIP_INSTALL) --require-hashes -r requirements/base.txt; \
	"$$away/bin/python" $(PIP_INSTALL) --no-deps dist/*.whl; \
	cd "$$away"; bin/muniment --version

# Needs no lock of an extra, which may be a new one.
lock: $(VENV)  ## Write the locks anew after a change of pyproject.toml; ARGS=--upgrade for newest versions
	@$(PY) $(PIP_INSTALL) --require-hashes -r requirements/build.txt -r requirements/dev.txt </dev/null
	@$(PY) requirements/lock.py $(ARGS)

format: $(TEST_READY)  ## Format the code, and mend what can be mended
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format .

clean:  ## Remove .venv and all that the other targets made
	@rm -rf .venv build dist mutants .check-slow .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV):
	@command -v $(PYTHON) >/dev/null || { echo "Muniment needs Python 3.11 or newer; there is no $(PYTHON)." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(v < (3, 11) and "Muniment needs Python 3.11 or newer; $(PYTHON) is %d.%d. Another: make PYTHON=python3.12" % v)'
	@echo "Setting up .venv"
	@$(PYTHON) -m venv --clear .venv
	@touch $@

$(PLAY_READY): $(VENV) $(PLAY_LOCKS) pyproject.toml src/muniment/__init__.py
	@echo "Installing what Muniment needs"
	@$(PY) $(PIP_INSTALL) --require-hashes $(PLAY_LOCKS:%=-r %) </dev/null
	@$(PY) $(PIP_INSTALL) --no-deps --no-build-isolation --editable . </dev/null
	@touch $@

$(TEST_READY): $(PLAY_READY) $(TEST_LOCKS)
	@echo "Installing what tests and development need"
	@$(PY) $(PIP_INSTALL) --require-hashes $(TEST_LOCKS:%=-r %) </dev/null
	@touch $@
