# SPDX-License-Identifier: MIT
# A thin front: every target is one line that works by itself. cmake/README.md has the rest.
PORT ?= 8080
CUDA ?= 1
SOAK ?= 100000
VERSION ?= $(shell sed -n 's/^project(kvgauge VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
PYTHON := $(firstword $(wildcard /usr/bin/python3) python3)
NATIVE := $(if $(filter 0,$(CUDA)),native-no-cuda,native)
PACKAGE := $(if $(filter 0,$(CUDA)),package-no-cuda,package)
BENCH := $(if $(filter 0,$(CUDA)),bench-no-cuda,bench)
.PHONY: run test native site package bench data coverage tidy soak pictures release setup setup-native \
    setup-web format check-format clean

run: site
	PORT=$(PORT) node web/tools/serve.js build/site
test: setup
	$(PYTHON) tests/run.py
native: setup-native
	cmake --workflow --preset $(NATIVE)
site: setup-web
	cmake --workflow --preset site
package: setup-native
	cmake --workflow --preset $(PACKAGE)
bench: setup site
	cmake --workflow --preset $(BENCH)
data:
	$(PYTHON) core/data/check.py
coverage: setup
	$(PYTHON) tests/support/coverage.py
tidy: setup
	$(PYTHON) cmake/tidy.py
soak: setup
	cmake --preset plain && cmake --build --preset plain --target kvg_ui_test
	KVGAUGE_SOAK=$(SOAK) build/plain/kvg_ui_test --gtest_filter='Soak.*'
pictures: setup-native
	cmake --preset native-no-cuda && cmake --build --preset native-no-cuda --target pictures
release:
	$(PYTHON) cmake/release.py $(VERSION) --make "$(MAKE) CUDA=$(CUDA)"
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
