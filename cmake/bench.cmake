# SPDX-License-Identifier: MIT
# kvgauge_bench: tests/bench/*.cc with Google Benchmark; the target `bench` has tests/bench/all.py run it
# and the scripts tests/bench/*_bench.py and *_bench.mjs (page size, first table, first frame), and
# leaves build/bench/results.md and results.json.
if(EMSCRIPTEN)
    return()
endif()
file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/bench/*.cc")
set(program)
if(sources)
    find_package(benchmark QUIET)
    if(NOT benchmark_FOUND)
        set(BENCHMARK_ENABLE_TESTING OFF CACHE BOOL "" FORCE)
        kvg_source(benchmark_source benchmark "")
        add_subdirectory("${benchmark_source}" benchmark EXCLUDE_FROM_ALL)
    endif()
    set(core)
    foreach(module ${KVG_MODULES})
        if(NOT module MATCHES "^ui")
            list(APPEND core kvg_${module})
        endif()
    endforeach()
    add_executable(kvgauge_bench EXCLUDE_FROM_ALL ${sources})
    kvg_expose(tests support "${CMAKE_SOURCE_DIR}/tests/support")
    target_include_directories(kvgauge_bench PRIVATE "${CMAKE_BINARY_DIR}/include/tests")
    target_link_libraries(kvgauge_bench PRIVATE ${core} kvg_ui kvg_probe_cpu kvg_warnings
                          benchmark::benchmark benchmark::benchmark_main)
    set(program --program "$<TARGET_FILE:kvgauge_bench>")
endif()
add_custom_target(bench COMMAND "${KVG_PYTHON}" "${CMAKE_SOURCE_DIR}/tests/bench/all.py" ${program}
                  WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" USES_TERMINAL VERBATIM)
if(TARGET kvgauge_bench)
    add_dependencies(bench kvgauge_bench)
endif()
if(TARGET kvgauge)  # the accuracy tables are its answers
    add_dependencies(bench kvgauge)
endif()
