# SPDX-License-Identifier: MIT
lanescope_test(fuzz_launcher SOURCES launcher_fuzz.cpp SEES launcher)
