# SPDX-License-Identifier: MIT
# dep_sdl2. Natively the machine's SDL2 (else its own build of the pinned sources). For WASM the
# sources are compiled right here: SDL's own CMake would run some 200 link tests under em++ (minutes),
# while SDL_config.h picks the Emscripten configuration by itself.
add_library(dep_sdl2 INTERFACE)
if(NOT EMSCRIPTEN)
    find_package(SDL2 QUIET)
    if(NOT SDL2_FOUND)
        kvg_source(sdl2_source sdl2 "${KVG_CACHE}/src/sdl2-2.26.5")
        add_subdirectory("${sdl2_source}" sdl2 EXCLUDE_FROM_ALL)
    endif()
    find_package(OpenGL REQUIRED)
    target_link_libraries(dep_sdl2 INTERFACE SDL2::SDL2 OpenGL::GL ${CMAKE_DL_LIBS})
    return()
endif()

if(NOT KVGAUGE_SHELL)
    return()  # core tests under node need no window
endif()
kvg_source(sdl2_source sdl2 "${KVG_CACHE}/src/sdl2-2.26.5")
set(sources)
foreach(folder
        . atomic audio audio/dummy audio/emscripten cpuinfo dynapi events file filesystem/emscripten
        haptic haptic/dummy hidapi joystick joystick/dummy joystick/emscripten libm loadso/dlopen
        locale locale/emscripten main/dummy misc misc/emscripten power power/emscripten render
        render/software render/opengles2 sensor sensor/dummy stdlib thread thread/generic timer
        timer/unix video video/emscripten video/yuv2rgb)
    file(GLOB found "${sdl2_source}/src/${folder}/*.c")
    list(APPEND sources ${found})
endforeach()
add_library(sdl2_wasm STATIC EXCLUDE_FROM_ALL ${sources})
target_include_directories(sdl2_wasm BEFORE PRIVATE "${sdl2_source}/include"
                           "${sdl2_source}/src/video/khronos")
# Window, events and GL context are all that is used; LEAN_AND_MEAN drops the software blitters.
target_compile_definitions(sdl2_wasm PRIVATE
    SDL_AUDIO_DISABLED=1 SDL_JOYSTICK_DISABLED=1 SDL_SENSOR_DISABLED=1 SDL_POWER_DISABLED=1
    SDL_RENDER_DISABLED=1 SDL_LEAN_AND_MEAN=1)
target_compile_options(sdl2_wasm PRIVATE -w)
target_include_directories(dep_sdl2 SYSTEM INTERFACE "${sdl2_source}/include")
target_link_libraries(dep_sdl2 INTERFACE sdl2_wasm)
