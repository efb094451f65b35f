# SPDX-License-Identifier: MIT
#   lanescope_trace_fuzz COUNT SEED    damaged trace files, read, written and compared
add_executable(lanescope_trace_fuzz trace_fuzz.cpp)
set_target_properties(lanescope_trace_fuzz PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                      "${PROJECT_BINARY_DIR}/tests")
target_include_directories(lanescope_trace_fuzz PRIVATE "${LANESCOPE_ROOT}")
target_link_libraries(lanescope_trace_fuzz PRIVATE lanescope_options lanescope_trace)
lanescope_built_for_test(lanescope_trace_fuzz trace_fuzz)
add_test(NAME trace_fuzz COMMAND lanescope_trace_fuzz 100000 1)
set_tests_properties(trace_fuzz PROPERTIES TIMEOUT 900 COST 65)
