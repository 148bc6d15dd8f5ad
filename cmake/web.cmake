# SPDX-License-Identifier: MIT
# The WASM module: web/**/*.cc and *.c with all of core, one Emscripten module without main().
#   build/web/module/kvgauge.mjs   glue, an ES module whose default export makes the instance
#   build/web/module/kvgauge.wasm
# cut in two by web/tools/split.js if asked, and from it, by web/tools/pack.js, the deployable folder
# build/site, build/site-single, and the folder again as build/package/kvgauge-site.zip.
# Functions for the page are marked EMSCRIPTEN_KEEPALIVE in the source; names that the page uses on the
# instance are strings there (module['_kvg_x']), since closure renames all others.
if(NOT KVGAUGE_SHELL)
    return()
endif()
file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/web/*.cc" "${CMAKE_SOURCE_DIR}/web/*.c")
list(FILTER sources EXCLUDE REGEX "/web/(node_modules|tools)/")
if(NOT sources)
    message(STATUS "WASM module: no sources in web/ yet")
    return()
endif()
set(core)
foreach(module ${KVG_MODULES})
    list(APPEND core kvg_${module})
endforeach()
kvg_expose(web web "${CMAKE_SOURCE_DIR}/web")
add_executable(kvgauge_web ${sources})
target_include_directories(kvgauge_web PRIVATE "${CMAKE_BINARY_DIR}/include/web")
target_link_libraries(kvgauge_web PRIVATE ${core} kvg_probe_cpu kvg_core imgui_backends dep_sdl2)
target_compile_definitions(kvgauge_web PRIVATE KVGAUGE_VERSION="${PROJECT_VERSION}")
set_target_properties(kvgauge_web PROPERTIES OUTPUT_NAME kvgauge SUFFIX .mjs
                      RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/module")
target_link_options(kvgauge_web PRIVATE --no-entry -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web
    -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH=1 -sFILESYSTEM=0
    -sMALLOC=emmalloc -sINITIAL_MEMORY=16MB -sMAXIMUM_MEMORY=1GB
    -sEXPORTED_RUNTIME_METHODS=UTF8ToString,stringToUTF8 "-sEXPORTED_FUNCTIONS=_malloc,_free")

# Closure takes the glue from 100 to 41 kB. It comes from npm (tests/web/package.json); the page works
# without it too.
set(closure "${CMAKE_SOURCE_DIR}/tests/web/node_modules/.bin/google-closure-compiler")
if(EXISTS "${closure}" AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    set_property(TARGET kvgauge_web APPEND PROPERTY LINK_OPTIONS "SHELL:--closure 1")
    list(INSERT CMAKE_CXX_LINKER_LAUNCHER 3 "EM_CLOSURE_COMPILER=${closure}")
    set_property(TARGET kvgauge_web PROPERTY CXX_LINKER_LAUNCHER "${CMAKE_CXX_LINKER_LAUNCHER}")
else()
    message(STATUS "WASM module: glue without closure (npm package not there)")
endif()

# What the first view does without becomes a file of its own. Without wasm-split (binaryen) the module
# stays whole.
set(module "${CMAKE_BINARY_DIR}/module")
set(parts --wasm "${module}/kvgauge.wasm")
set(whole)
find_program(KVG_WASM_SPLIT wasm-split HINTS "$ENV{EMSDK}/upstream/bin")
if(KVGAUGE_WEB_SPLIT AND KVG_WASM_SPLIT AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    cmake_path(GET KVG_WASM_SPLIT PARENT_PATH binaryen)
    # Names of functions are what the cut goes by; the parts have none.
    # Functions called once are inlined only after the cut.
    target_link_options(kvgauge_web PRIVATE --profiling-funcs -Wl,--no-demangle
        -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=30)
    # Where the linker put each constant. em++ refuses -Map, also in a file of options; a second file behind
    # another option is left to the linker.
    file(MAKE_DIRECTORY "${module}")
    file(CONFIGURE OUTPUT "${module}/options" CONTENT "--no-demangle,@${module}/map_option\n")
    file(CONFIGURE OUTPUT "${module}/map_option" CONTENT "-Map=${module}/kvgauge.map\n")
    target_link_options(kvgauge_web PRIVATE "-Wl,@${module}/options")
    set(split "${CMAKE_SOURCE_DIR}/web/tools/split.js")
    set(list "${CMAKE_SOURCE_DIR}/web/first_view.txt")
    add_custom_command(
        OUTPUT "${module}/first.wasm" "${module}/more.wasm" "${module}/whole.wasm"
        COMMAND "${KVG_NODE}" "${split}" --wasm "${module}/kvgauge.wasm" --list "${list}"
            --bin "${binaryen}" --first "${module}/first.wasm" --more "${module}/more.wasm"
            --whole "${module}/whole.wasm" --map "${module}/kvgauge.map"
        DEPENDS kvgauge_web "$<TARGET_FILE:kvgauge_web>" "${split}" "${list}"
            "${CMAKE_SOURCE_DIR}/web/tools/split_data.js" "${CMAKE_SOURCE_DIR}/web/tools/wasm_names.js"
        COMMENT "Cutting the module" VERBATIM)
    set(parts --wasm "${module}/first.wasm" --more "${module}/more.wasm"
        --whole "${module}/whole.wasm")
    set(whole "${module}/whole.wasm")
endif()

# The site: a bundle of web/js around the module, the pages of site/, the font files.
set(pack "${CMAKE_SOURCE_DIR}/web/tools/pack.js")
if(EXISTS "${pack}")
    file(GLOB_RECURSE inputs CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/web/js/*"
         "${CMAKE_SOURCE_DIR}/web/tools/*" "${CMAKE_SOURCE_DIR}/site/*"
         "${CMAKE_SOURCE_DIR}/CHANGELOG.md")
    set(out "${CMAKE_SOURCE_DIR}/build")
    set(hubs ${KVGAUGE_HUBS})
    list(TRANSFORM hubs PREPEND --hub=)
    add_custom_command(
        OUTPUT "${CMAKE_BINARY_DIR}/site.stamp"
        COMMAND "${CMAKE_COMMAND}" -E env
            "PATH=${CMAKE_SOURCE_DIR}/tests/web/node_modules/.bin:$ENV{PATH}"
            "${KVG_NODE}" "${pack}" --glue "$<TARGET_FILE:kvgauge_web>"
            ${parts} --fonts "${KVG_FONTS}/web"
            --version "${PROJECT_VERSION}" --python "${KVG_PYTHON}" ${hubs}
            --out "${out}/site" --single "${out}/site-single"
        COMMAND "${KVG_PYTHON}" "${CMAKE_SOURCE_DIR}/web/tools/archive.py" "${out}/site"
            "${out}/package/kvgauge-site.zip"
        COMMAND "${CMAKE_COMMAND}" -E touch "${CMAKE_BINARY_DIR}/site.stamp"
        DEPENDS kvgauge_web "$<TARGET_FILE:kvgauge_web>" ${whole} "${KVG_FONTS}/stamp" ${inputs}
        COMMENT "Packing build/site" VERBATIM)
    add_custom_target(site ALL DEPENDS "${CMAKE_BINARY_DIR}/site.stamp")
endif()
