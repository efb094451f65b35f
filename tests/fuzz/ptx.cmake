# SPDX-License-Identifier: MIT
set(snippets snippet.cpp integer_snippets.cpp real_snippets.cpp convert_snippets.cpp
             memory_snippets.cpp warp_snippets.cpp control_snippets.cpp
             composite_snippets.cpp hopper_snippets.cpp rare_snippets.cpp)
list(TRANSFORM snippets PREPEND "${PROJECT_SOURCE_DIR}/tests/emulator/")
add_executable(ptx_fuzz ptx_fuzz.cpp ${snippets})
set_target_properties(ptx_fuzz PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
target_include_directories(ptx_fuzz PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(ptx_fuzz PRIVATE lanescope_emulator)
add_test(NAME ptx_fuzz COMMAND ptx_fuzz 100000 1)
set_tests_properties(ptx_fuzz PROPERTIES TIMEOUT 300)
