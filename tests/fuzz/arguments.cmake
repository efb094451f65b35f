# SPDX-License-Identifier: MIT
lanescope_test(fuzz_arguments SOURCES arguments_fuzz.cpp)
