# SPDX-License-Identifier: MIT
# imgui           the library alone: all that core/ui sees
# imgui_backends  its SDL2 and OpenGL3 backends, for core/ui/sdl and the shells
kvg_source(imgui_source imgui "${KVG_CACHE}/src/imgui-1.90.1")
add_library(imgui STATIC EXCLUDE_FROM_ALL
    "${imgui_source}/imgui.cpp" "${imgui_source}/imgui_draw.cpp"
    "${imgui_source}/imgui_tables.cpp" "${imgui_source}/imgui_widgets.cpp")
set(include "${CMAKE_BINARY_DIR}/deps/imgui")
file(MAKE_DIRECTORY "${include}")
file(GLOB headers "${imgui_source}/im*.h")
foreach(header ${headers})
    cmake_path(GET header FILENAME file)
    file(CREATE_LINK "${header}" "${include}/${file}" SYMBOLIC)
endforeach()
target_include_directories(imgui SYSTEM PUBLIC "${include}")
target_compile_definitions(imgui PUBLIC
    IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_DEBUG_TOOLS IMGUI_DISABLE_FILE_FUNCTIONS
    IMGUI_DISABLE_OBSOLETE_FUNCTIONS)
target_compile_options(imgui PRIVATE -w "$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti>")
if(KVGAUGE_UNIT_TESTS)
    target_compile_options(imgui PRIVATE -UNDEBUG)  # its assertions stand, whatever the build
endif()

if(EMSCRIPTEN AND NOT KVGAUGE_SHELL)
    add_library(imgui_backends INTERFACE)
    return()
endif()
add_library(imgui_backends STATIC EXCLUDE_FROM_ALL
    "${imgui_source}/backends/imgui_impl_sdl2.cpp"
    "${imgui_source}/backends/imgui_impl_opengl3.cpp")
target_include_directories(imgui_backends SYSTEM PUBLIC "${imgui_source}/backends")
target_link_libraries(imgui_backends PUBLIC imgui dep_sdl2)
target_compile_options(imgui_backends PRIVATE -w
                       "$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti>")
if(EMSCRIPTEN)
    target_compile_definitions(imgui_backends PUBLIC IMGUI_IMPL_OPENGL_ES3)
endif()
