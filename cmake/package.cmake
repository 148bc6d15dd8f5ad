# SPDX-License-Identifier: MIT
# .deb and .tar.gz of the native program, into build/package.
