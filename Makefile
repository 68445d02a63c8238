# dpep's tasks. Each one installs and builds first what it needs, which takes almost no time when it is up to date.
#
#   make setup     install the build's dependencies: Debian packages, and Python packages in .venv
#   make build     build into build/, from whose python/ folder .venv imports
#   make demo      kernel density estimation in NumPy, in array code and in a SYCL extension built by the demo
#   make test      run all tests
#   make bench     run all benchmarks beside their peers
#   make bench-arrays  compare about 200 array functions with NumPy, torch, numexpr and JAX; downloads 3 GB once
#   make lint      check formatting, the order of layers and file sizes
#   make sanitize  run the C++ tests under AddressSanitizer and UBSan, those of the runtime under ThreadSanitizer
#   make sanitize-widths  run the SYCL tests under AddressSanitizer and UBSan, with kernels of every vector width
#   make wheel     build a self-contained wheel in dist/; PYTHON=python3.12 selects its Python version
#   make clean     remove built files, but not the installed dependencies
#
# PYTHON=… selects the interpreter of a new .venv. JOBS=… limits parallel compilations. CONTRIBUTING.md describes
# building and testing one part.

SHELL := /bin/bash
JOBS ?= $(shell nproc)
PYTHON ?=
export PYTHON

.PHONY: help setup build demo test bench bench-arrays lint sanitize sanitize-widths wheel clean

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

setup:
	@tools/setup/setup.sh

build: setup
	@tools/build.sh build -DDPEP_WERROR=ON

# Builds what users install, without the tests.
demo: setup
	@TARGETS="src/all tools/all python/all" tools/build.sh build -DDPEP_WERROR=ON
	@.venv/bin/python examples/kde/demo.py

test: build
	@tools/test.sh build

bench: build
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check -r tools/setup/requirements-bench.txt
	@.venv/bin/python benchmarks/run.py

# The peers have an environment of their own: torch replaces packages of .venv by older ones.
bench-arrays: build
	@[[ -x build-peers/bin/python ]] || .venv/bin/python -m venv build-peers
	@build-peers/bin/python -m pip install --quiet --disable-pip-version-check -r tools/setup/requirements-bench-arrays.txt
	@PYTHONPATH=build/python build-peers/bin/python benchmarks/array_functions/run.py

lint: setup
	@tools/lint/lint.sh

sanitize: setup
	@tools/sanitize.sh

sanitize-widths: setup
	@tools/sanitize.sh widths

wheel:
	@PYTHON= tools/setup/setup.sh
	@tools/wheel/wheel.sh

clean:
	rm -rf build build-asan build-tsan build-wheel* dist examples/kde/build

export JOBS
