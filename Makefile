PYTHON ?= python3
# The most processes that run tests side by side.
JOBS ?= 4

# Tests start hundreds of processes, which share compiled modules. Empty: Python may write these files.
export PYTHONDONTWRITEBYTECODE :=

VENV := .venv
BIN := $(VENV)/bin
# Python compiles the modules that it imports, which are few of those that pip would compile.
INSTALL := $(BIN)/python -m pip --quiet --disable-pip-version-check install --no-compile

# What the compiled extension and the installed package depend on. Python files do not count: the
# installation is editable.
BUILD_INPUTS := pyproject.toml CMakeLists.txt $(wildcard cmake/*) $(shell find lib -type f)

.PHONY: demo test test-deep mutants check bench site clean

demo: $(VENV)/runtime.stamp
	$(BIN)/python examples/demo.py

# Every behaviour once: some five minutes on two cores.
test: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n auto --maxprocesses=$(JOBS) --dist=worksteal

# The rest: sweeps, campaigns, sanitizer builds, all sharded models, browser pages, MPI, other implementations.
test-deep: $(VENV)/deep.stamp
	$(BIN)/python -m pytest -n auto --maxprocesses=$(JOBS) --dist=worksteal -m deep

# Mistakes that the tests must catch: tests/mutation/README.md.
mutants: $(VENV)/test.stamp
	$(BIN)/python -m tests.mutation

check: $(VENV)/test.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --pythonpath $(BIN)/python

bench: $(VENV)/test.stamp
	$(BIN)/python -m benchmarks

# The site of docs/, with generated pages: build/site.
site: $(VENV)/docs.stamp
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python docs/site/build.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis

$(VENV)/venv.stamp:
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --upgrade pip
	touch $@

$(VENV)/runtime.stamp: $(VENV)/venv.stamp $(BUILD_INPUTS)
	$(INSTALL) --editable .
	touch $@

$(VENV)/test.stamp: $(VENV)/venv.stamp $(BUILD_INPUTS)
	$(INSTALL) --config-settings=cmake.define.HLOKIT_WERROR=ON --editable '.[test]'
	touch $@ $(VENV)/runtime.stamp

$(VENV)/deep.stamp: $(VENV)/venv.stamp $(BUILD_INPUTS)
	$(INSTALL) --config-settings=cmake.define.HLOKIT_WERROR=ON --editable '.[test-deep]'
	touch $@ $(VENV)/test.stamp $(VENV)/runtime.stamp

$(VENV)/docs.stamp: $(VENV)/venv.stamp $(BUILD_INPUTS)
	$(INSTALL) --editable '.[docs]'
	touch $@ $(VENV)/runtime.stamp
