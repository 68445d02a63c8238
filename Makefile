# dpep's tasks. Each sets up and builds first what it needs; what is there already costs next to nothing.
#
#   make setup     install what building needs: Debian packages, and Python packages in .venv
#   make build     build into build/, whose python/ folder .venv imports from
#   make demo      a kernel density estimate with NumPy and with a SYCL extension that is built on the spot
#   make test      all tests
#   make bench     all benchmarks, beside what dpep is compared with
#   make lint      formatting, layers, file sizes
#   make sanitize  the C++ tests under AddressSanitizer with UBSan, the runtime's under ThreadSanitizer
#   make sanitize-widths  SYCL's tests under AddressSanitizer with UBSan, with kernels of every width
#   make wheel     a self-contained wheel in dist/; PYTHON=python3.12 chooses the version it is for
#   make clean     remove what was built, not what was set up
#
# PYTHON=… chooses the interpreter of .venv when it is made. JOBS=… limits parallel compilations.

SHELL := /bin/bash
JOBS ?= $(shell nproc)
PYTHON ?=
export PYTHON

.PHONY: help setup build demo test bench lint sanitize sanitize-widths wheel clean

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

setup:
	@tools/setup/setup.sh

build: setup
	@tools/build.sh build -DDPEP_WERROR=ON

demo: build
	@.venv/bin/python examples/kde/demo.py

test: build
	@tools/test.sh build

bench: build
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check -r tools/setup/requirements-bench.txt
	@.venv/bin/python benchmarks/run.py

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
