# SPDX-License-Identifier: MIT
lanescope_test(fuzz_view SOURCES view_fuzz.cpp SEES selection)
