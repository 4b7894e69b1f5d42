# make run: set everything up and do the main job.  make test: set everything up and run all tests.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
PY := .venv/bin/python
CONFIG ?= configs/cpu/quick.yaml
EXPERIMENT ?= configs/reproduce.yaml

.PHONY: run test setup check clean reproduce

run: setup  ## train base -> fixed SFT -> HSA-SFT -> OPD -> HSA-RL, evaluate, report
	$(PY) -m livesim.cli run --config $(CONFIG)

reproduce: setup  ## the paper's table at our scale: arms, seeds, ablations, T1 to T4; many hours, goes on where it stopped
	$(PY) -m livesim.cli run --config $(EXPERIMENT)

test: setup check  ## every test, the real mini-training included
	$(PY) -m pytest -q -n 2 --dist loadfile -m "not train"
	$(PY) -m pytest -q -m train

check: setup  ## lint, types, layers
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

setup: .venv/.installed

# --no-deps: the lock holds the whole closure, and some wheels would pull a CUDA build of torch.
.venv/.installed: requirements.lock setup.cfg pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if v[:2] == (3, 11) else f"livesim needs Python 3.11, this is {v[0]}.{v[1]}: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv .venv
	$(PY) -m pip install -qq --no-deps -r requirements.lock
	$(PY) -m pip install -qq --no-deps --no-build-isolation -e .
	@touch $@

clean:  ## remove what setup and runs made (the base model's cache stays)
	rm -rf .venv runs .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
