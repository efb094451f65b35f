# SPDX-License-Identifier: MIT
lanescope_test(fuzz_fatbin SOURCES fatbin_fuzz.cpp SEES fatbinary)
