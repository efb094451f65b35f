# SPDX-License-Identifier: MIT
if(TARGET lanescope_emulator)
  lanescope_test(fuzz_map SOURCES map_fuzz.cpp SEES emulator)
endif()
