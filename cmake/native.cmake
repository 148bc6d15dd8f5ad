# SPDX-License-Identifier: MIT
# The native shell: kvg_native (native/**/*.cc but main.cc and the probes) and the program kvgauge.
# native/probe_cuda*.cc is compiled only with nvcc; KVGAUGE_HAVE_CUDA says 1 or 0 to the others.
if(NOT KVGAUGE_SHELL)
    return()
endif()
set(native "${CMAKE_SOURCE_DIR}/native")
find_package(PNG REQUIRED)  # pictures of the window
file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${native}/*.cc")
list(FILTER sources EXCLUDE REGEX "/native/(main|probe_cpu[^/]*)\\.cc$")
if(NOT KVG_HAVE_CUDA)
    list(FILTER sources EXCLUDE REGEX "/native/probe_cuda[^/]*\\.cc$")
endif()
file(GLOB main CONFIGURE_DEPENDS "${native}/main.cc")
if(NOT main)
    return()
endif()

# The help page, compiled in.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${native}/help.md")
set(help_text "${CMAKE_BINARY_DIR}/generated/native/help_text.cc")
file(READ "${native}/help.md" page)
file(WRITE "${help_text}.new" "#include \"native/help_text.h\"\n\nnamespace kvgauge {\n\n"
     "const char* const kHelpText = R\"HELP(${page})HELP\";\n\n}  // namespace kvgauge\n")
file(COPY_FILE "${help_text}.new" "${help_text}" ONLY_IF_DIFFERENT)
list(APPEND sources "${help_text}")

set(core)
foreach(module ${KVG_MODULES})
    list(APPEND core kvg_${module})
endforeach()
if(sources)
    add_library(kvg_native STATIC ${sources})
    set(scope PUBLIC)
    # CLI11 reports a bad command line by an exception, so this target alone has them.
    target_link_libraries(kvg_native PRIVATE kvg_warnings)
else()
    add_library(kvg_native INTERFACE)
    set(scope INTERFACE)
endif()
target_include_directories(kvg_native ${scope} "${CMAKE_BINARY_DIR}/include/native")
target_link_libraries(kvg_native ${scope} ${core} kvg_probe_cpu dep_cli11 dep_fmt dep_fast_float
                      imgui_backends dep_sdl2 PNG::PNG ${CMAKE_DL_LIBS})
target_compile_definitions(kvg_native ${scope} KVGAUGE_VERSION="${PROJECT_VERSION}"
                           KVGAUGE_HAVE_CUDA=$<BOOL:${KVG_HAVE_CUDA}>)
if(KVG_HAVE_CUDA AND TARGET kvg_kernels_cuda)
    target_link_libraries(kvg_native ${scope} kvg_kernels_cuda CUDA::cudart_static)
endif()

add_executable(kvgauge "${main}")
target_link_libraries(kvgauge PRIVATE kvg_native kvg_warnings)
set_target_properties(kvgauge PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
