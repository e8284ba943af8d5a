# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One BLAS thread a worker: the tests run in parallel processes.
THREADS := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

.PHONY: demo test lint attack fuzz soak test-oldest test-newest coverage mutants release-check screens reproduce page bench-solvers bench-methods bench-scale bench-path bench-regimes bench-selection bench-cells methods-table house docs clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@

$(VENV)/.cli: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[cli]'
	touch $@

demo: $(VENV)/.cli
	$(BIN)/sparsecone demo

$(VENV)/.experiments: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[experiments]'
	touch $@

# All experiments on the data in SPARSECONE_DATA; what is not there is named at the end. The grid of
# the third takes hours: SETTING=--quick takes minutes.
SETTING ?=
JOBS ?= 2
reproduce: $(VENV)/.experiments
	$(THREADS) $(BIN)/sparsecone reproduce all $(SETTING) --jobs $(JOBS)

# The committed pages anew, from the committed rows; `sparsecone reproduce all --page-only --latex`
# has every table as LaTeX and csv and every figure as PDF besides.
PAGE = $(THREADS) $(BIN)/sparsecone reproduce --page-only --out docs/results
page: $(VENV)/.experiments
	$(PAGE) all
	$(PAGE) choosing

test: lint
	$(THREADS) $(BIN)/python -m pytest -n 2

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Random problems against the certificate, judged in extended precision: `make attack CASES=500`.
CASES ?= 10000
attack: $(VENV)/.test
	$(THREADS) PYTHONPATH=tests $(BIN)/python benchmarks/campaign.py $(CASES)

# Damaged and random files against every reader: `make fuzz MINUTES=2`, for each of two campaigns.
MINUTES ?= 10
fuzz: $(VENV)/.test
	$(THREADS) PYTHONPATH=tests $(BIN)/python benchmarks/fuzz.py --minutes $(MINUTES)

# Runs that are killed, run out of disk and lose processes: `make soak SOAK_MINUTES=5`.
SOAK_MINUTES ?= 30
soak: $(VENV)/.test
	$(THREADS) $(BIN)/python benchmarks/soak.py --minutes $(SOAK_MINUTES)

# The lowest versions that pyproject.toml allows, and the newest of everything; both need network.
# `make test-oldest TESTS=tests/files` runs some of the tests. A typer that old needs an old click,
# a zarr an old numcodecs, a Matplotlib an old pyparsing.
TESTS ?=
UV := $(VENV)-uv/bin/uv
$(UV):
	$(PYTHON) -m venv $(VENV)-uv
	$(VENV)-uv/bin/python -m pip install --quiet uv

$(VENV)-oldest/.done: pyproject.toml | $(UV)
	$(UV) venv --quiet --clear --python 3.11 $(VENV)-oldest
	$(UV) pip install --quiet --python $(VENV)-oldest --resolution lowest-direct --editable '.[test]' 'click>=8.1.7,<8.2' 'numcodecs>=0.13,<0.16' 'pyparsing>=3.1,<3.3'
	touch $@

$(VENV)-newest/.done: pyproject.toml | $(UV)
	$(UV) venv --quiet --clear --python 3.13 $(VENV)-newest
	$(UV) pip install --quiet --python $(VENV)-newest --upgrade --editable '.[test]'
	touch $@

test-oldest test-newest: test-%: $(VENV)-%/.done
	$(THREADS) $(VENV)-$*/bin/python -m pytest -n 2 $(TESTS)

$(VENV)/.coverage: $(VENV)/.test
	$(BIN)/python -m pip install --quiet 'coverage>=7.10'
	touch $@

# Branch coverage of src, in all processes that the tests start: `make coverage TESTS=tests/files`.
# Tests of time may fail beneath it, which is no reason to have no report: `make test` judges them.
coverage: $(VENV)/.coverage
	$(BIN)/python -m coverage erase
	-$(THREADS) $(BIN)/python -m coverage run -m pytest -n 2 $(TESTS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

# How many of a sample of small mistakes in the source the tests see:
# `make mutants ROOMS="model files" SAMPLE=20`; docs/extending/testing.md says which may survive.
ROOMS ?= model certificate selectors files
SAMPLE ?= 50
mutants: $(VENV)/.coverage
	$(THREADS) $(BIN)/python benchmarks/mutants.py --rooms $(ROOMS) --sample $(SAMPLE)

$(VENV)-release/.done: pyproject.toml
	$(PYTHON) -m venv $(VENV)-release
	$(VENV)-release/bin/python -m pip install --quiet 'build>=1.2' 'twine>=5.1'
	touch $@

# Wheel and sdist in dist/: built twice, compared, checked, tried in an empty environment.
release-check: $(VENV)-release/.done
	$(VENV)-release/bin/python .ci/release.py

# Pictures of reports; needs chromium, chromedriver and the data in SPARSECONE_DATA.
screens: $(VENV)/.test
	PYTHONPATH=tests $(BIN)/python docs/screens.py

bench-solvers: $(VENV)/.core
	$(BIN)/python benchmarks/solvers.py

# The peers have an environment of their own: the licence of one is not ours.
$(VENV)-bench/.done: pyproject.toml
	$(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install --quiet --editable . skfeature-chappers skmatter pandas
	touch $@

bench-methods: $(VENV)-bench/.done
	$(VENV)-bench/bin/python benchmarks/methods.py

$(VENV)/.scale: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dask,streaming,plots]'
	touch $@

# One table from one run; `make bench-scale PARTS="wide sparse"` measures some of it.
PARTS ?=
bench-scale: $(VENV)/.scale
	$(BIN)/python benchmarks/scale.py $(PARTS) --save docs/results

# What a path costs in single fits: `make bench-path DATA="digits isolet"`.
DATA ?=
bench-path: $(VENV)/.core
	$(BIN)/python benchmarks/path.py $(DATA)

# The three models beside PCA of the same rank, on all kinds of data, and beside scikit-matter;
# `make bench-regimes ONLY="usps digits"` measures some of it.
ONLY ?=
bench-regimes: $(VENV)-bench/.done
	$(THREADS) $(VENV)-bench/bin/python benchmarks/regimes.py --only $(ONLY)

# What selections explain of unseen samples, beside the ceiling and in what time.
bench-selection: $(VENV)-bench/.done
	$(THREADS) $(VENV)-bench/bin/python benchmarks/selection.py | tee docs/results/selection.md

$(VENV)/.study: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[study]'
	touch $@

# Time and memory of `select_genes` beside scanpy's PCA; real cells from the folder SPARSECONE_CELLS.
bench-cells: $(VENV)/.study
	$(THREADS) $(BIN)/python benchmarks/cells.py

methods-table: $(VENV)/.core
	sed -i '/^|/d' docs/methods.md
	$(BIN)/python docs/methods_table.py >> docs/methods.md

$(VENV)/.docs: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@

# The rooms and their imports: the table and the picture of docs/house.md.
house: $(VENV)/.core
	$(BIN)/python docs/house.py

# The site, in docs/_build/html; a warning is an error.
docs: $(VENV)/.docs
	$(THREADS) $(BIN)/python -m sphinx -W -n --keep-going docs docs/_build/html

clean:
	rm -rf dist docs/_build docs/gallery docs/api/generated $(VENV) $(VENV)-bench $(VENV)-uv $(VENV)-oldest $(VENV)-newest $(VENV)-release .pytest_cache .mypy_cache .ruff_cache .hypothesis
