# Everything runs in .venv with the versions pinned in constraints.txt. PYTHON picks the interpreter that creates it.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTHON ?= $(firstword $(foreach name,python3 python3.13 python3.12 python3.11,$(shell $(name) -c \
	'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))

# Options for the program that a target runs: `make train ARGS="--config configs/smoke.yaml"`.
ARGS ?=

# The scripts behind the README's figures, in its order.
BENCHMARKS := engine envs startup training solver worlds search

# The frameworks that `make test-plugins` takes: all, or `PLUGINS="sb3 torchrl"`.
PLUGINS ?=

# A process for each core; `ARGS="-n 0"` keeps the tests in one. Their own threads would only fight for the same cores.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist worksteal

.PHONY: help install train test check test-plugins test-matrix format bench tensorboard wheel clean

help:
	@echo "make train         train the default agent, evaluate it, say where everything is"
	@echo "make install       create .venv with the pinned versions"
	@echo "make test          run the tests"
	@echo "make check         what CI runs: format, lint, types, tests"
	@echo "make test-plugins  run every framework's tests in an environment of its own; PLUGINS=\"sb3 rllib\" picks some"
	@echo "make test-matrix   run the environments' tests with old and new PettingZoo, Gymnasium, NumPy and Python"
	@echo "make tensorboard   show the logs of all runs"
	@echo "make bench         measure every figure of the README"
	@echo "make format        format the sources and mend what the linter can"
	@echo "make wheel         build the library into dist/"
	@echo "make clean         remove what the targets built, environments included; runs/ stays"

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "euchre_env needs Python 3.11 or newer: install it, or name it with PYTHON=..." >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot create virtual environments: install its venv module (python3-venv on Debian)." >&2; exit 1; }
	test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt -e '.[render,train,test]'
	@touch $@

train: $(STAMP)
	$(BIN)/python train.py $(ARGS)

test: $(STAMP)
	$(PYTEST) $(ARGS)

# The tests' kernels are compiled on one core while the other lints.
check: $(STAMP)
	$(BIN)/python -m tests.warm & \
		$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy --strict; \
		status=$$?; wait; exit $$status
	$(PYTEST) $(ARGS)

# These two build environments of their own and need nothing of $(VENV).
test-plugins:
	@"$(PYTHON)" -m tests.elsewhere.plugins $(PLUGINS)

test-matrix:
	@"$(PYTHON)" -m tests.elsewhere.matrix

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)
	@for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python -m benchmarks.$$name $(ARGS) || exit 1; done

tensorboard: $(STAMP)
	$(BIN)/tensorboard --logdir runs

wheel: $(STAMP)
	$(BIN)/python -m pip wheel --disable-pip-version-check --no-deps --no-build-isolation -w dist .

clean:
	rm -rf $(VENV) $(VENV)-plugins $(VENV)-matrix dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
