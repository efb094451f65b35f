# SPDX-License-Identifier: MIT
#   lanescope_trace_bench              how fast traces of 50 MB are read
add_executable(lanescope_trace_bench EXCLUDE_FROM_ALL trace_bench.cpp)
target_link_libraries(lanescope_trace_bench PRIVATE lanescope_options lanescope_trace
                                                    benchmark::benchmark)
