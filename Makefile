# SPDX-License-Identifier: MIT
# A thin front: every target is one line that works by itself. cmake/README.md has the rest.
PORT ?= 8080
CUDA ?= 1
PYTHON := $(firstword $(wildcard /usr/bin/python3) python3)
NATIVE := $(if $(filter 0,$(CUDA)),native-no-cuda,native)
.PHONY: run test native site package bench setup setup-native setup-web format check-format clean

run: site
	PORT=$(PORT) node web/tools/serve.js build/site
test: setup
	$(PYTHON) tests/run.py
native: setup-native
	cmake --workflow --preset $(NATIVE)
site: setup-web
	cmake --workflow --preset site
package: setup-native
	cmake --workflow --preset package
bench: setup site
	cmake --workflow --preset bench
setup:
	@cmake/setup.sh
setup-native:
	@cmake/setup.sh native
setup-web:
	@cmake/setup.sh web
format:
	$(PYTHON) cmake/format.py --fix
check-format:
	$(PYTHON) cmake/format.py
clean:
	rm -rf build
