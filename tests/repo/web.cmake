# SPDX-License-Identifier: MIT
# Builds the web page as `./learn web` does, in a folder of its own, and lets a browser open it:
# cmake -D SOURCE= -D BUILD= -D LANESCOPE= -P this. LANESCOPE is the command.
cmake_minimum_required(VERSION 3.25)

function(run what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${SOURCE}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the web page: ${what} failed (${result})")
  endif()
endfunction()

run("configuring" "${CMAKE_COMMAND}" --preset web -B "${BUILD}")
run("building" "${CMAKE_COMMAND}" --build "${BUILD}")
find_program(node node)
if(node)
  run("kernels in WebAssembly" "${SOURCE}/tests/golden/compilers/webassembly.sh" "${BUILD}/bin/run_ptx.js")
  run("exercises in WebAssembly" "${SOURCE}/tests/lessons/webassembly.sh" "${BUILD}/bin/run_ptx.js" "${LANESCOPE}")
endif()
find_program(chromium chromium)
if(NOT chromium)
  message(STATUS "the web page is built; no chromium here that would open it")
  return()
endif()
run("opening it" "${SOURCE}/tests/viz/page_test.sh" "${BUILD}/lanescope.html" "${LANESCOPE}")
