# SPDX-License-Identifier: MIT
# `make package`: .deb and .tar.gz of the native program in build/package. What is installed:
# bin/kvgauge, the licence, and what lies under native/packaging as it would under the prefix
# (native/packaging/share/applications/..., share/man/..., share/bash-completion/...).
if(NOT TARGET kvgauge)
    return()
endif()
include(GNUInstallDirs)
install(TARGETS kvgauge RUNTIME)
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        RENAME copyright)
if(IS_DIRECTORY "${CMAKE_SOURCE_DIR}/native/packaging/share")
    install(DIRECTORY "${CMAKE_SOURCE_DIR}/native/packaging/share" DESTINATION ".")
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
