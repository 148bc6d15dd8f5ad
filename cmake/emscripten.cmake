# SPDX-License-Identifier: MIT
# Toolchain of the WASM builds: an activated emsdk (EMSDK), Debian's emscripten, or EMSCRIPTEN_ROOT.
if(DEFINED ENV{EMSCRIPTEN_ROOT})
    set(root "$ENV{EMSCRIPTEN_ROOT}")
elseif(DEFINED ENV{EMSDK} AND EXISTS "$ENV{EMSDK}/upstream/emscripten")
    set(root "$ENV{EMSDK}/upstream/emscripten")
else()
    set(root /usr/share/emscripten)
endif()
if(NOT EXISTS "${root}/cmake/Modules/Platform/Emscripten.cmake")
    message(FATAL_ERROR "No Emscripten in ${root}: run cmake/setup.sh web, or activate an emsdk.")
endif()
# A node from elsewhere does not search Debian's module folder, where Emscripten's linker has acorn.
# The launchers are set here, before any target, and work with a bare shell.
if(EXISTS /usr/share/nodejs/acorn)
    foreach(language C CXX)
        set(CMAKE_${language}_LINKER_LAUNCHER "${CMAKE_COMMAND}" -E env NODE_PATH=/usr/share/nodejs)
    endforeach()
endif()
find_program(KVG_NODE node nodejs)
set(CMAKE_CROSSCOMPILING_EMULATOR "${KVG_NODE}")
include("${root}/cmake/Modules/Platform/Emscripten.cmake")
# Without it Emscripten puts its SDL 1 headers and JavaScript into every build.
add_compile_options(-sUSE_SDL=0)
add_link_options(-sUSE_SDL=0)
