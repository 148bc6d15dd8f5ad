# SPDX-License-Identifier: MIT
# Warnings, language switches and ccache. Targets:
#   kvg_warnings  warnings as errors, for all code of the project
#   kvg_core      kvg_warnings, no exceptions, no RTTI: core, web, kernels
add_library(kvg_warnings INTERFACE)
target_compile_options(kvg_warnings INTERFACE
    "$<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wconversion;-Wsign-conversion;-Wshadow>"
    "$<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor;-Woverloaded-virtual;-Wextra-semi;-Wold-style-cast>"
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wduplicated-cond;-Wlogical-op>")
if(KVGAUGE_WERROR)
    target_compile_options(kvg_warnings INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:-Werror>")
endif()
# Missing fields in designated initialisers are how a Scenario says "default".
target_compile_options(kvg_warnings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>")
# GCC 12 sees overlapping copies and wild bounds in std::string's own inlined code (PR 105329).
target_compile_options(kvg_warnings INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-maybe-uninitialized>")

add_library(kvg_core INTERFACE)
target_link_libraries(kvg_core INTERFACE kvg_warnings)
target_compile_options(kvg_core INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti>"
    # The same sum everywhere: no fused multiply-add where a CPU has one and WASM has not.
    "$<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off>")

# __FILE__ and debug information name no folder of this machine, and clones share cached objects.
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=>")

find_program(KVG_CCACHE ccache)
if(KVGAUGE_CCACHE AND KVG_CCACHE)
    set(launcher "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1)
    if(EMSCRIPTEN)
        list(APPEND launcher CCACHE_COMPILERTYPE=clang)  # em++ is a script that ccache does not know
    endif()
    foreach(language C CXX CUDA)
        set(CMAKE_${language}_COMPILER_LAUNCHER ${launcher} "${KVG_CCACHE}")
    endforeach()
endif()
