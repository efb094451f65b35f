# SPDX-License-Identifier: MIT
lanescope_test(fuzz_link SOURCES link_fuzz.cpp SEES fatbinary COST 10)
