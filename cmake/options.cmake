# SPDX-License-Identifier: MIT
# Every switch of the build, and the cache folder that all clones on one machine share.
set(KVGAUGE_CUDA AUTO CACHE STRING "CUDA kernels: AUTO (if nvcc is found), ON, OFF")
set_property(CACHE KVGAUGE_CUDA PROPERTY STRINGS AUTO ON OFF)
# Two, to keep a build short: sm_80's code runs on 8x, the PTX of 90 is compiled by the driver for
# later ones. The preset `release` has every architecture from sm_75.
set(KVGAUGE_CUDA_ARCHITECTURES "80-real;90" CACHE STRING
    "GPU architectures of the CUDA kernels; the last one also as PTX for later GPUs")
option(KVGAUGE_UNIT_TESTS "Build the GoogleTest executables and the header and include tests" OFF)
option(KVGAUGE_FUZZ "Build the libFuzzer targets; the compiler is to be clang" OFF)
option(KVGAUGE_SHELL "Build the shell: native program, or web module" ON)
option(KVGAUGE_WEB_SPLIT "Cut the page's module in two; the second part comes with the first use" ON)
option(KVGAUGE_WERROR "Warnings are errors in the project's own code" ON)
option(KVGAUGE_CCACHE "Compile through ccache when it is there" ON)
# What the page's "load from hub" may ask, in this order: BASE/OWNER/NAME/resolve/main/config.json.
# A mirror is named before it or in its place; empty takes the button away.
set(KVGAUGE_HUBS "https://huggingface.co" CACHE STRING "Addresses of model hubs for the page")

if(DEFINED ENV{KVGAUGE_CACHE})
    set(KVG_CACHE "$ENV{KVGAUGE_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(KVG_CACHE "$ENV{XDG_CACHE_HOME}/kvgauge")
else()
    set(KVG_CACHE "$ENV{HOME}/.cache/kvgauge")
endif()

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)

# Debian's Python, not one that a version manager put first: fontTools is there.
find_program(KVG_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(KVG_PYTHON NAMES python3 python REQUIRED)
