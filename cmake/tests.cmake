# SPDX-License-Identifier: MIT
# Test suites, one ctest entry each; tests/run.py runs them all and adds up their counts.
#   tests/MODULE/*_test.cc, tests/MODULE_test.cc  kvg_MODULE_test: GoogleTest, natively and under node
#   tests/native/*_test.cc                        the same for the native shell
#   tests/structure/*_test.py                     rules over the source text
#   tests/cli/*_test.py                           the program, by exit code and output
#   tests/web/*.test.mjs                          the page in a browser (node --test)
# All run in the repository root, so that a test names its files "tests/data/...".
enable_testing()

function(kvg_add_test name)
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 ENVIRONMENT GTEST_COLOR=no)
endfunction()

function(kvg_unit_test name)
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/${name}/*_test.cc"
         "${CMAKE_SOURCE_DIR}/tests/${name}_test.cc")
    if(NOT sources)
        return()
    endif()
    set(target kvg_${name}_test)
    add_executable(${target} ${sources})
    target_link_libraries(${target} PRIVATE ${ARGN} kvg_core dep_gtest dep_rapidjson)
    target_include_directories(${target} PRIVATE "${CMAKE_BINARY_DIR}/include/tests")
    if(EMSCRIPTEN)
        kvg_node_program(${target})
    endif()
    kvg_add_test(${name} ${target})
endfunction()

# A program that node runs: real files, the shell's environment, exit code. Synchronous
# compilation, because node 18 and later has fetch() and Emscripten's loader would use it on a path.
function(kvg_node_program target)
    set_target_properties(${target} PROPERTIES SUFFIX .js)
    target_link_options(${target} PRIVATE -sWASM_ASYNC_COMPILATION=0 -sNODERAWFS=1 -sEXIT_RUNTIME=1
        -sALLOW_MEMORY_GROWTH=1 -sENVIRONMENT=node
        "SHELL:--pre-js ${CMAKE_SOURCE_DIR}/tests/support/node_environment.js")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS
        "${CMAKE_SOURCE_DIR}/tests/support/node_environment.js")
endfunction()

if(KVGAUGE_UNIT_TESTS)
    kvg_expose(tests support "${CMAKE_SOURCE_DIR}/tests/support")
    foreach(module ${KVG_MODULES})
        kvg_unit_test(${module} kvg_${module})
    endforeach()
    kvg_unit_test(probe_cpu kvg_probe_cpu)
    add_executable(kvg_model_rows EXCLUDE_FROM_ALL tests/support/model_rows.cc)  # for models.tsv
    target_link_libraries(kvg_model_rows PRIVATE kvg_import kvg_data kvg_core)
    target_include_directories(kvg_model_rows PRIVATE "${CMAKE_BINARY_DIR}/include/tests")
    if(TARGET kvg_native)
        kvg_unit_test(native kvg_native)
    endif()
endif()

if(KVGAUGE_UNIT_TESTS AND NOT EMSCRIPTEN)
    file(GLOB scripts CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/structure/*_test.py")
    foreach(script ${scripts})
        cmake_path(GET script STEM name)
        string(REPLACE "_test" "" name ${name})
        kvg_add_test(${name} "${KVG_PYTHON}" "${script}")
    endforeach()
endif()

if(TARGET kvgauge AND NOT EMSCRIPTEN)
    file(GLOB scripts CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/cli/*_test.py")
    foreach(script ${scripts})
        cmake_path(GET script STEM name)
        kvg_add_test(cli_${name} "${KVG_PYTHON}" "${script}")
        set_tests_properties(cli_${name} PROPERTIES
            ENVIRONMENT "KVGAUGE_CLI=$<TARGET_FILE:kvgauge>")
    endforeach()
endif()

# The program with a GPU, a model and a model family more, added as CONTRIBUTING.md says. Its objects
# come before the libraries and so stand in for theirs.
if(TARGET kvgauge AND TARGET kvg_model_rows AND NOT EMSCRIPTEN)
    set(walk "${CMAKE_BINARY_DIR}/generated/contributed")
    set(contribute "${CMAKE_SOURCE_DIR}/tests/support/contribute.py")
    file(GLOB inputs CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/core/data/*")
    add_custom_command(OUTPUT "${walk}/catalog_data.cc" "${walk}/config_family.cc"
        COMMAND "${KVG_PYTHON}" "${contribute}" --rows "$<TARGET_FILE:kvg_model_rows>" --out "${walk}"
        DEPENDS kvg_model_rows "${contribute}" ${inputs}
            "${CMAKE_SOURCE_DIR}/core/import/config_family.cc"
            "${CMAKE_SOURCE_DIR}/tests/support/update_models.py"
            "${CMAKE_SOURCE_DIR}/tests/import/catalog_configs.jsonl"
        COMMENT "Walking CONTRIBUTING.md" VERBATIM)
    add_executable(kvgauge_contributed native/main.cc "${walk}/catalog_data.cc"
                   "${walk}/config_family.cc")
    target_link_libraries(kvgauge_contributed PRIVATE kvg_native kvg_core)
    set_tests_properties(cli_contributing_test PROPERTIES ENVIRONMENT
        "KVGAUGE_CLI=$<TARGET_FILE:kvgauge>;KVGAUGE_CONTRIBUTED=$<TARGET_FILE:kvgauge_contributed>")
endif()

# They choose their own sanitizers, so a build that has some would only repeat the plain one.
if(NOT EMSCRIPTEN AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    add_subdirectory(tests/kernels)
endif()

if(EMSCRIPTEN AND TARGET site)
    file(GLOB scripts CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/web/*.test.mjs"
         "${CMAKE_SOURCE_DIR}/tests/web/*.test.js")
    foreach(script ${scripts})
        cmake_path(GET script STEM name)
        kvg_add_test(web_${name} "${KVG_NODE}" --test "${script}")
        set_tests_properties(web_${name} PROPERTIES
            ENVIRONMENT "KVGAUGE_SITE=${CMAKE_SOURCE_DIR}/build/site;KVGAUGE_PYTHON=${KVG_PYTHON};KVGAUGE_MODULE=${CMAKE_BINARY_DIR}/module;KVGAUGE_FONTS=${KVG_FONTS}/web")
    endforeach()
endif()
