# SPDX-License-Identifier: MIT
# libFuzzer targets, tests/fuzz/NAME_fuzz.cc, one ctest entry each, with NAME.dict and corpus/NAME/.
# A run is a fixed number of inputs from a fixed seed, within a time limit; more:
#   build/fuzz/NAME_fuzz -max_total_time=250 scratch tests/fuzz/corpus/NAME
if(NOT KVGAUGE_FUZZ)
    return()
endif()
set(KVGAUGE_FUZZ_RUNS 20000 CACHE STRING "Inputs that one fuzz test tries")
kvg_expose(fuzz fuzz "${CMAKE_SOURCE_DIR}/tests/fuzz")
# RapidJSON's stack adds to its null pointer before the first element is there.
file(GLOB_RECURSE sources "${CMAKE_SOURCE_DIR}/core/*.cc")
foreach(source ${sources})
    file(STRINGS "${source}" found REGEX "include .rapidjson/" LIMIT_COUNT 1)
    if(found)
        set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=pointer-overflow)
    endif()
endforeach()
add_custom_target(fuzz)
file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/fuzz/*_fuzz.cc")
foreach(source ${sources})
    cmake_path(GET source STEM target)
    string(REPLACE "_fuzz" "" name ${target})
    add_executable(${target} ${source})
    add_dependencies(fuzz ${target})
    target_link_libraries(${target} PRIVATE kvg_text kvg_import kvg_data kvg_model
                          kvg_core)
    target_include_directories(${target} PRIVATE "${CMAKE_BINARY_DIR}/include/fuzz")
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    set(here "${CMAKE_SOURCE_DIR}/tests/fuzz")
    set(dictionary)
    if(EXISTS "${here}/${name}.dict")
        set(dictionary "-dict=${here}/${name}.dict")
    endif()
    set(scratch "${CMAKE_BINARY_DIR}/fuzz-scratch/${name}")
    file(MAKE_DIRECTORY "${scratch}")
    kvg_add_test(${target} ${target} -runs=${KVGAUGE_FUZZ_RUNS} -max_total_time=25 -seed=1
                 -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=256 -max_len=20000 -verbosity=0
                 -print_final_stats=1 "-artifact_prefix=${scratch}-" ${dictionary} "${scratch}" "${here}/corpus/${name}")
endforeach()
