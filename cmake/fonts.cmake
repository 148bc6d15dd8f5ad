# SPDX-License-Identifier: MIT
# The font subsets behind core/ui/builtin_fonts.h and those of the page (KVG_FONTS/web/).
# Every text file of ui and text is read for the characters it uses; see cmake/fonts.py.
set(KVG_FONTS "${CMAKE_BINARY_DIR}/generated/fonts")
file(GLOB_RECURSE texts CONFIGURE_DEPENDS
     "${CMAKE_SOURCE_DIR}/core/ui/*.[chti]*" "${CMAKE_SOURCE_DIR}/core/text/*.[chti]*"
     "${CMAKE_SOURCE_DIR}/site/*.html")
set(made)
foreach(part latin korean label)
    list(APPEND made "${KVG_FONTS}/builtin_fonts_${part}.inc")
endforeach()
add_custom_command(
    OUTPUT ${made} "${KVG_FONTS}/stamp"
    COMMAND "${KVG_PYTHON}" "${CMAKE_SOURCE_DIR}/cmake/fonts.py" --out "${KVG_FONTS}" ${texts}
    DEPENDS "${CMAKE_SOURCE_DIR}/cmake/fonts.py" ${texts}
    COMMENT "Subsetting fonts" VERBATIM)
add_custom_target(kvg_fonts DEPENDS ${made})
