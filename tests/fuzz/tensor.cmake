# SPDX-License-Identifier: MIT
# The vector path of the tensor arithmetic against the model: ten million outputs in the suite; give
# tensor_fuzz a larger number by hand.
add_executable(tensor_fuzz "${CMAKE_CURRENT_SOURCE_DIR}/tensor_fuzz.cpp")
set_target_properties(tensor_fuzz PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
target_include_directories(tensor_fuzz PRIVATE "${LANESCOPE_ROOT}")
target_link_libraries(tensor_fuzz PRIVATE lanescope_tensor)
lanescope_built_for_test(tensor_fuzz fuzz.tensor)
if(LANESCOPE_SANITIZE)
  add_test(NAME fuzz.tensor COMMAND tensor_fuzz 1000000)
else()
  add_test(NAME fuzz.tensor COMMAND tensor_fuzz 10000000)
endif()
set_tests_properties(fuzz.tensor PROPERTIES TIMEOUT 900 COST 15)
