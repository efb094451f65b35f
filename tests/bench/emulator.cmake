# SPDX-License-Identifier: MIT
add_executable(lanescope_emulator_bench EXCLUDE_FROM_ALL emulator_bench.cpp)
set_target_properties(lanescope_emulator_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
target_compile_definitions(lanescope_emulator_bench PRIVATE LANESCOPE_BUILD_DIR="${PROJECT_BINARY_DIR}")
target_link_libraries(lanescope_emulator_bench PRIVATE lanescope_emulator lanescope_trace_lines benchmark::benchmark)
# The kernels of tests/emulator are what it runs.
if(LANESCOPE_HAS_CUDA)
  add_dependencies(lanescope_emulator_bench lanescope_emulator_kernels)
endif()
