# Every target sets up its own environment in .venv; only Python 3.11 or later is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
INSTALLED := $(VENV)/.installed
# Python compiles what is imported: of 170 MB that pip would compile, most is never used.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt

# What is compiled once is kept, whatever the machine says of it.
export PYTHONDONTWRITEBYTECODE :=

# Two for each core: browsers, servers and clusters wait more than they compute. With three, each takes longer to start than it saves.
WORKERS := $(shell $(PYTHON) -c 'import os; print(2 * (os.cpu_count() or 1))')

.PHONY: demo test tested compiled check style types docs screenshots bench rivals audit clean
demo: $(CORE)
	$(BIN)/sudare demo --force

# Threads of the matrix library wait for one another by turning in circles, in each of many processes.
test: export OPENBLAS_NUM_THREADS := 1
test: $(INSTALLED)
	$(MAKE) style
	$(MAKE) --jobs 3 tested types docs

# Beside types and pages: these have the cores while tests wait for browsers, servers and clusters. What fails is run
# again at the end: to have it done at once by a plugin, every test would wait 40 ms for an answer about its failures.
tested: compiled
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup || \
	    $(BIN)/pytest -n 1 --dist loadgroup --last-failed --last-failed-no-failures none -rpfE

# Tests run in many processes, which would each compile the same modules.
compiled: $(INSTALLED)
	$(BIN)/python -m compileall -q src
	-$(BIN)/pytest --collect-only -qq >/dev/null

check: style types

style: $(INSTALLED)
	$(BIN)/ruff format --check
	$(BIN)/ruff check

types: $(INSTALLED)
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(INSTALLED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# Pictures of the workbench for the docs; needs Chromium.
screenshots: $(INSTALLED)
	SUDARE_SCREENSHOTS=docs/images/workbench $(BIN)/pytest -n0 tests/workbench/test_screenshots.py

bench: $(INSTALLED)
	mkdir -p build
	-$(MAKE) rivals
	-$(PIP) numba
	$(BIN)/python -m benchmarks; failed=$$?; \
	$(BIN)/python -m benchmarks.rivals --json build/rivals.json --page docs/guide/benchmarks.md && exit $$failed

# Packages that do the same work and cannot be installed beside ours; the benchmark runs them where they are.
rivals:
	test -e build/rivals/.installed || { $(PYTHON) -m venv build/rivals && \
	    build/rivals/bin/python -m pip install --quiet --disable-pip-version-check pycanon anjana anonypyx sdmetrics anonymeter && \
	    touch build/rivals/.installed; }

# In an environment of its own, so that the tools are not in the bill of materials. Needs the package index; without it,
# only the licenses are listed. Fails where a vulnerability is known.
AUDIT := build/audit
audit: $(INSTALLED)
	mkdir -p build && rm -f build/audit.json
	$(BIN)/python -m tests.licences > build/licences.md
	if $(PYTHON) -m venv --without-pip $(AUDIT) && $(BIN)/python -m pip --python $(AUDIT)/bin/python install --quiet --disable-pip-version-check --no-compile pip-audit cyclonedx-bom; then \
	    $(AUDIT)/bin/cyclonedx-py environment $(BIN)/python --output-file build/sbom.cdx.json && \
	    { $(AUDIT)/bin/pip-audit --requirement constraints.txt --no-deps --disable-pip --progress-spinner off --format json --output build/audit.json; \
	      test ! -s build/audit.json || $(BIN)/python -m tests.vulnerabilities build/audit.json; }; \
	else echo "the package index cannot be reached: vulnerabilities were not looked up"; fi

clean:
	rm -rf build $(VENV) site demo .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis

# The pip that comes with Python may be years old, and takes three times as long to choose versions.
$(CORE): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip
	$(PIP) -e .
	touch $@

# Spark comes without a wheel; to build one takes as long as everything else, beside which it is done.
$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip
	$(PIP) --no-deps pyspark py4j & $(PIP) --no-warn-conflicts -e '.[dev]' && wait $$!
	touch $(CORE) $@
