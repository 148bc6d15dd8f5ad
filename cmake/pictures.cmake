# SPDX-License-Identifier: MIT
# `cmake --build build/native --target pictures` draws docs/pictures anew, without a display.
if(NOT TARGET kvg_native OR NOT TARGET kvg_ui_sdl)
    return()
endif()
add_executable(kvg_pictures EXCLUDE_FROM_ALL "${CMAKE_SOURCE_DIR}/tests/pictures/pictures.cc"
    "${CMAKE_SOURCE_DIR}/tests/pictures/small_png.cc")
target_link_libraries(kvg_pictures PRIVATE kvg_native kvg_core imgui_backends dep_sdl2)
add_custom_target(pictures
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_SOURCE_DIR}/docs/pictures"
    COMMAND kvg_pictures "${CMAKE_SOURCE_DIR}/docs/pictures"
    COMMENT "Drawing docs/pictures" VERBATIM)
