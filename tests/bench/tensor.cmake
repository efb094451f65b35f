# SPDX-License-Identifier: MIT
add_executable(tensor_bench EXCLUDE_FROM_ALL "${CMAKE_CURRENT_SOURCE_DIR}/tensor_bench.cpp")
set_target_properties(tensor_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
target_include_directories(tensor_bench PRIVATE "${LANESCOPE_ROOT}")
target_link_libraries(tensor_bench PRIVATE lanescope_tensor benchmark::benchmark)
