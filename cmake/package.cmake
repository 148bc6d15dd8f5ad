# SPDX-License-Identifier: MIT
# `make package`: .deb and .tar.gz of the native program in build/package. What is installed:
# bin/kvgauge, the licence, icons, the man page, and what lies under native/packaging as it would
# under the prefix.
if(NOT TARGET kvgauge)
    return()
endif()
include(GNUInstallDirs)
install(TARGETS kvgauge RUNTIME)
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        RENAME copyright)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/native/packaging/share" DESTINATION ".")
install(FILES "${CMAKE_SOURCE_DIR}/site/icons/icon.svg"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps" RENAME kvgauge.svg)
foreach(size 192 512)
    install(FILES "${CMAKE_SOURCE_DIR}/site/icons/icon-${size}.png"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps"
            RENAME kvgauge.png)
endforeach()

# The man page is the help page, with the section that man's index reads in front.
find_program(KVG_LOWDOWN lowdown)
if(KVG_LOWDOWN)
    set(man_page "${CMAKE_BINARY_DIR}/generated/native/kvgauge.1")
    file(READ "${CMAKE_SOURCE_DIR}/native/help.md" page)
    string(REGEX REPLACE "^# kvgauge\n\n([^\n]*)\n" "# NAME\n\nkvgauge - \\1\n\n# DESCRIPTION\n" page "${page}")
    file(CONFIGURE OUTPUT "${man_page}.md" CONTENT "${page}" @ONLY)
    add_custom_command(OUTPUT "${man_page}"
        COMMAND "${KVG_LOWDOWN}" -s -Tman -mtitle=KVGAUGE -msection=1 -mvolume=kvgauge
                "-mdate=${PROJECT_VERSION}" -o "${man_page}" "${man_page}.md"
        DEPENDS "${man_page}.md" VERBATIM)
    add_custom_target(man ALL DEPENDS "${man_page}")
    add_dependencies(kvgauge man)  # so that its folder can be packed whatever else is built
    install(FILES "${man_page}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
else()
    message(STATUS "lowdown is not here: the package has no man page")
endif()

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_SOURCE_DIR}/build/package")
set(CPACK_PACKAGE_NAME kvgauge)
set(CPACK_PACKAGE_VENDOR kvgauge)
set(CPACK_PACKAGE_CONTACT "kvgauge maintainers <kvgauge@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_FILE_NAME "kvgauge-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
