# SPDX-License-Identifier: MIT
# KVG_FONT_SOURCES: the generated definitions behind core/ui/font_data.h. See cmake/fonts.py.
set(KVG_FONT_SOURCES "")
