# SPDX-License-Identifier: MIT
add_executable(ptx_fuzz ptx_fuzz.cpp)
set_target_properties(ptx_fuzz PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
target_include_directories(ptx_fuzz PRIVATE "${LANESCOPE_ROOT}")
target_link_libraries(ptx_fuzz PRIVATE lanescope_emulator lanescope_emulator_snippets)
lanescope_built_for_test(ptx_fuzz ptx_fuzz)
add_test(NAME ptx_fuzz COMMAND ptx_fuzz 100000 1)
# Sanitized, a fifth of its time would go into keeping the stacks of all allocations: a report says two calls of where a
# block was taken. The same command by hand says all of them.
set_tests_properties(ptx_fuzz PROPERTIES TIMEOUT 900 COST 140 ENVIRONMENT ASAN_OPTIONS=malloc_context_size=2)
