# SPDX-License-Identifier: MIT
# Libraries, none of them in this repository. Looked for in this order:
#   1. FETCHCONTENT_SOURCE_DIR_<NAME>, a source folder the user names
#   2. the machine: Debian's packages, or the sources that cmake/setup.sh put into the cache folder
#   3. the pinned tag below, through FetchContent
# Header-only ones get an include folder of their own made of links, since em++ must not see
# /usr/include, and since both builds then compile the same text.
include(FetchContent)
set(FETCHCONTENT_QUIET ON)

FetchContent_Declare(imgui GIT_REPOSITORY https://github.com/ocornut/imgui GIT_TAG v1.90.1
                     GIT_SHALLOW ON SOURCE_SUBDIR none)
FetchContent_Declare(sdl2 GIT_REPOSITORY https://github.com/libsdl-org/SDL GIT_TAG release-2.26.5
                     GIT_SHALLOW ON SOURCE_SUBDIR none)
FetchContent_Declare(rapidjson GIT_REPOSITORY https://github.com/Tencent/rapidjson
                     GIT_TAG 232389d4f1012dddec4ef84861face2d2ba85709 SOURCE_SUBDIR none)
FetchContent_Declare(fmt GIT_REPOSITORY https://github.com/fmtlib/fmt GIT_TAG 9.1.0
                     GIT_SHALLOW ON SOURCE_SUBDIR none)
FetchContent_Declare(fast_float GIT_REPOSITORY https://github.com/fastfloat/fast_float
                     GIT_TAG v3.9.0 GIT_SHALLOW ON SOURCE_SUBDIR none)
FetchContent_Declare(cli11 GIT_REPOSITORY https://github.com/CLIUtils/CLI11 GIT_TAG v2.1.2
                     GIT_SHALLOW ON SOURCE_SUBDIR none)
FetchContent_Declare(googletest GIT_REPOSITORY https://github.com/google/googletest
                     GIT_TAG release-1.12.1 GIT_SHALLOW ON SOURCE_SUBDIR none)
FetchContent_Declare(benchmark GIT_REPOSITORY https://github.com/google/benchmark GIT_TAG v1.7.1
                     GIT_SHALLOW ON SOURCE_SUBDIR none)

# Sets OUT to the source folder of NAME; LOCAL is where this machine may have it.
function(kvg_source out name local)
    string(TOUPPER ${name} upper)
    if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND EXISTS "${local}")
        set(FETCHCONTENT_SOURCE_DIR_${upper} "${local}")
    endif()
    FetchContent_MakeAvailable(${name})
    FetchContent_GetProperties(${name} SOURCE_DIR folder)
    set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# dep_NAME: the headers FOLDER/... of a header-only library; INSIDE is where its sources keep them.
function(kvg_headers name folder inside)
    string(TOUPPER ${name} upper)
    set(at "/usr/include/${folder}")
    if(FETCHCONTENT_SOURCE_DIR_${upper} OR NOT EXISTS "${at}")
        kvg_source(source ${name} "")
        set(at "${source}/${inside}/${folder}")
    endif()
    set(links "${CMAKE_BINARY_DIR}/deps/${name}")
    file(MAKE_DIRECTORY "${links}")
    file(CREATE_LINK "${at}" "${links}/${folder}" SYMBOLIC)
    add_library(dep_${name} INTERFACE)
    target_include_directories(dep_${name} SYSTEM INTERFACE "${links}")
endfunction()

kvg_headers(rapidjson rapidjson include)
# No exceptions in core, so no assertion that throws; 64-bit sizes on 32-bit WASM stay within limits.
target_compile_definitions(dep_rapidjson INTERFACE RAPIDJSON_HAS_STDSTRING=1)
kvg_headers(fmt fmt include)
target_compile_definitions(dep_fmt INTERFACE FMT_HEADER_ONLY=1 FMT_STATIC_THOUSANDS_SEPARATOR=',')
kvg_headers(fast_float fast_float include)
if(NOT EMSCRIPTEN)
    kvg_headers(cli11 CLI include)
endif()

# dep_gtest: GoogleTest and GoogleMock with main(), compiled here so that flags and sanitizers agree.
if(KVGAUGE_UNIT_TESTS)
    kvg_source(gtest_source googletest /usr/src/googletest)
    add_library(dep_gtest STATIC EXCLUDE_FROM_ALL "${gtest_source}/googletest/src/gtest-all.cc"
                "${gtest_source}/googlemock/src/gmock-all.cc"
                "${gtest_source}/googlemock/src/gmock_main.cc")
    target_include_directories(dep_gtest SYSTEM
        PUBLIC "${gtest_source}/googletest/include" "${gtest_source}/googlemock/include"
        PRIVATE "${gtest_source}/googletest" "${gtest_source}/googlemock")
    target_compile_options(dep_gtest PRIVATE -w -fno-exceptions -fno-rtti)
    target_compile_definitions(dep_gtest PUBLIC GTEST_HAS_RTTI=0 GTEST_HAS_EXCEPTIONS=0)
    if(EMSCRIPTEN)
        target_compile_definitions(dep_gtest PUBLIC GTEST_HAS_PTHREAD=0)
    else()
        find_package(Threads REQUIRED)
        target_link_libraries(dep_gtest PUBLIC Threads::Threads)
    endif()
endif()
