# SPDX-License-Identifier: MIT
# kvg_probe_cpu (native/probe_cpu*.cc): measures the CPU under it. A target of its own because the web
# page links it too.
file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/native/probe_cpu*.cc")
kvg_expose(native native "${CMAKE_SOURCE_DIR}/native")
if(sources)
    add_library(kvg_probe_cpu STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(kvg_probe_cpu PRIVATE kvg_core)
else()
    add_library(kvg_probe_cpu INTERFACE)
    set(scope INTERFACE)
endif()
target_include_directories(kvg_probe_cpu ${scope} "${CMAKE_BINARY_DIR}/include/native")
target_link_libraries(kvg_probe_cpu ${scope} kvg_probe kvg_model)
if(TARGET kvg_kernels_cpu)
    target_link_libraries(kvg_probe_cpu ${scope} kvg_kernels_cpu)
endif()
