# Every target does its own set-up: a private .venv with the exact versions of constraints.txt.
PYTHON ?= python3
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed.stamp
RAY_VENV := .venv-ray
RAY_INSTALLED := $(RAY_VENV)/installed.stamp

.DEFAULT_GOAL := help
.PHONY: help demo test test-ray lint format types docs wheel constraints clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

demo: $(INSTALLED)  ## train a silent team, evaluate it and watch a game
	$(BIN)/unspoken demo $(ARGS)

test: $(INSTALLED)  ## run the tests (ARGS="-k name" chooses some)
	$(BIN)/python -m pytest $(ARGS)

test-ray: $(RAY_INSTALLED)  ## run the tests of what uses Ray, in an environment of their own
	$(RAY_VENV)/bin/python -m pytest tests/test_ray_tasks.py tests/test_ray_rllib.py $(ARGS)

lint: $(INSTALLED)  ## ruff: rules and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(INSTALLED)  ## let ruff repair what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Type checkers do not follow the import hook of an editable install, so the package is installed a second time, as a
# user would get it; a sub-package that pyproject.toml forgot to list is then missing here too.
types: $(INSTALLED)  ## mypy --strict over the installed package
	rm -rf build
	$(BIN)/python -m pip install --quiet --no-deps --target build/installed .
	MYPYPATH=build/installed $(BIN)/mypy --strict -p unspoken.envs -p unspoken.agents -p unspoken.train

docs: $(INSTALLED)  ## build the documentation site, build/site; warnings are errors
	$(BIN)/mkdocs build --strict
	@echo 'to read it: python3 -m http.server --directory build/site'

wheel: $(INSTALLED)  ## build dist/*.whl and dist/*.tar.gz
	rm -rf build dist
	$(BIN)/python -m build

constraints: pyproject.toml  ## resolve constraints*.txt anew for all supported Pythons
	mkdir -p build
	$(PYTHON) -m venv build/resolver
	build/resolver/bin/python -m pip install --quiet uv
	$(call resolve,constraints.txt,--extra train --extra view --extra serve --extra docs --extra dev)
	$(call resolve,constraints-ray.txt,--extra train --extra ray --extra dev)

# Keeps the comment at the head of the file $(1); $(2) are the extras.
define resolve
{ sed '/^#/!d' $(1); \
  printf 'torch==2.13.0\nnumpy<2.5\n' | build/resolver/bin/uv pip compile pyproject.toml --quiet \
  --upgrade --universal --python-version 3.10 $(2) --constraint - \
  --no-header --no-annotate | grep -vE '^(nvidia|cuda|triton)'; } > build/$(1)
mv build/$(1) $(1)
endef

clean:  ## remove the environment and everything built
	rm -rf $(VENV) $(RAY_VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

# CITATION.cff carries the version, so a release re-installs and the installed metadata never lag behind.
$(INSTALLED): pyproject.toml constraints.txt CITATION.cff
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt --editable '.[train,view,serve,docs,dev]'
	touch $@

$(RAY_INSTALLED): pyproject.toml constraints-ray.txt CITATION.cff
	test -x $(RAY_VENV)/bin/python || $(PYTHON) -m venv $(RAY_VENV)
	$(RAY_VENV)/bin/python -m pip install --disable-pip-version-check --constraint constraints-ray.txt \
	  --editable '.[train,ray,dev]'
	touch $@
