# SPDX-License-Identifier: MIT
# Configures, builds and tests one other configuration, WITHOUT the tests that this pattern names:
# cmake -D NAME= -D SOURCE= -D BUILD= -D PROGRAMS= -D FLAGS= -D WITHOUT= -P this. What nvcc made in
# the folder PROGRAMS is taken from there.
cmake_minimum_required(VERSION 3.25)
set(ENV{CTEST_OUTPUT_ON_FAILURE} 1)

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "configuration ${NAME}: ${what} failed (${result})")
  endif()
endfunction()

run("configuring" "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BUILD}" -G Ninja
    -DCMAKE_BUILD_TYPE=RelWithDebInfo ${FLAGS} -DLANESCOPE_TEST_CONFIGURATIONS=OFF
    "-DLANESCOPE_PROGRAMS_FROM=${PROGRAMS}" "-DLANESCOPE_TESTS_WITHOUT=${WITHOUT}")
run("building" "${CMAKE_COMMAND}" --build "${BUILD}")
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR jobs "${cores} + 1")  # as ./learn does
run("testing" "${CMAKE_CTEST_COMMAND}" --test-dir "${BUILD}" --no-tests=error -j ${jobs} -E
    "^(${WITHOUT})$")
