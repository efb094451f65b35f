# SPDX-License-Identifier: MIT
# How a CUDA program is compiled: by the one nvcc line that the lessons teach, not through CMake's
# CUDA language, so that what a learner types by hand and what the build does are the same thing.
#
#   lanescope_cuda_program(target source.cu [OUTPUT dir] [ARCHS 80 90a] [DEPENDS files])
#       nvcc -cudart shared -lineinfo -I common/device, with PTX for every architecture inside.
#   lanescope_cuda_object(target source.cu ...)
#       the same, compiled to an object file whose path is in the target's property OBJECT; FORGIVING:
#       a warning does not stop it.

# nvcc takes no host compiler that is much newer than itself. Sets `flags` to -ccbin and the newest one here that it
# takes; to nothing where it takes its own choice, or none: then it says so itself.
function(lanescope_nvcc_host flags)
  set(${flags} "" PARENT_SCOPE)
  set(empty "${PROJECT_BINARY_DIR}/nothing.cu")
  file(CONFIGURE OUTPUT "${empty}" CONTENT "")
  foreach(host IN ITEMS "" g++-16 g++-15 g++-14 g++-13 g++-12 g++-11)
    set(choice)
    if(host)
      set(choice -ccbin "${host}")
    endif()
    execute_process(COMMAND "${LANESCOPE_NVCC}" ${choice} -E "${empty}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed EQUAL 0)
      set(${flags} "${choice}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# The oldest toolkit that the lessons were built with; what it lacks of the newest is LANESCOPE_NVCC_ARCHS' to say.
set(LANESCOPE_OLDEST_CUDA 12.4)
set(LANESCOPE_HAS_CUDA OFF)
if(LANESCOPE_CUDA)
  find_program(LANESCOPE_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin" PATHS
                                         /usr/local/cuda/bin)
  if(LANESCOPE_NVCC)
    file(REAL_PATH "${LANESCOPE_NVCC}" nvcc_real)
    cmake_path(GET nvcc_real PARENT_PATH nvcc_bin)
    cmake_path(GET nvcc_bin PARENT_PATH LANESCOPE_CUDA_ROOT)
    execute_process(COMMAND "${LANESCOPE_NVCC}" --version OUTPUT_VARIABLE said ERROR_QUIET)
    string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" said "${said}")
    set(LANESCOPE_CUDA_VERSION "${CMAKE_MATCH_1}")
    # "compute_90" and the like, also of what is called compute_90a where a kernel is compiled.
    execute_process(COMMAND "${LANESCOPE_NVCC}" --list-gpu-arch OUTPUT_VARIABLE LANESCOPE_NVCC_ARCHS ERROR_QUIET)
    string(REGEX MATCHALL "compute_[0-9]+" LANESCOPE_NVCC_ARCHS "${LANESCOPE_NVCC_ARCHS}")
    if(LANESCOPE_CUDA_VERSION VERSION_LESS LANESCOPE_OLDEST_CUDA)
      message(STATUS "No nvcc that is new enough: CUDA ${LANESCOPE_OLDEST_CUDA} is, ${LANESCOPE_NVCC} is of ${LANESCOPE_CUDA_VERSION}; "
                     "lessons are not built, recorded traces can still be viewed")
    else()
      set(LANESCOPE_HAS_CUDA ON)
      lanescope_nvcc_host(LANESCOPE_NVCC_HOST)
      list(JOIN LANESCOPE_NVCC_HOST " " host)
      string(REPLACE "-ccbin " ", with " host "${host}")
      message(STATUS "CUDA toolkit: ${LANESCOPE_CUDA_ROOT} (${LANESCOPE_CUDA_VERSION}${host})")
    endif()
  else()
    message(STATUS "No nvcc: lessons are not built; recorded traces can still be viewed")
  endif()
endif()
# For `lanescope`, which reads the cache.
set(LANESCOPE_HAS_CUDA ${LANESCOPE_HAS_CUDA} CACHE INTERNAL "Whether the lessons can be built" FORCE)

# Sets `known` to whether nvcc knows every one of these architectures (80, 90a, ...).
function(lanescope_knows_archs known)
  set(${known} ON PARENT_SCOPE)
  foreach(arch IN LISTS ARGN)
    string(REGEX REPLACE "[a-z]+$" "" number "${arch}")
    if(NOT "compute_${number}" IN_LIST LANESCOPE_NVCC_ARCHS)
      set(${known} OFF PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# PTX only: a card's driver compiles it at start, the emulator reads it as it is, and nvcc is twice
# as fast. The second-newest is there for cards before Hopper.
set(LANESCOPE_CUDA_ARCHS 80 89 90a CACHE STRING "Architectures whose PTX goes into each program")
# -O is about the host's half only: nvcc optimises kernels fully either way. More than -O2 makes no
# lesson faster.
set(LANESCOPE_NVCC_FLAGS -std=c++17 -lineinfo -cudart shared -Xcompiler -Wall,-Wextra)
list(PREPEND LANESCOPE_NVCC_FLAGS ${LANESCOPE_NVCC_HOST})
# Not for what a learner writes (FORGIVING): a variable that is not used yet is shown, and stops nobody.
set(LANESCOPE_NVCC_STRICT -Werror all-warnings)
# An exercise: the host's half unoptimised, for a short way from edit to result; kernels at the level that
# keeps a lane's arrays in memory. The others drop a store to a[4] of four, and a wrong answer passes.
set(LANESCOPE_EXERCISE_FLAGS -O0 -Ofc mid)
if(LANESCOPE_HAS_CUDA)
  execute_process(COMMAND "${LANESCOPE_NVCC}" --help OUTPUT_VARIABLE said ERROR_QUIET)
  if(NOT said MATCHES "--Ofast-compile")  # older than that; the nearest there is (docs/start_here.md)
    set(LANESCOPE_EXERCISE_FLAGS -O0 -Xcicc -O1)
  endif()
endif()

# What nvcc makes is the same in every configuration. The tests, which build several, point this at the
# first one's folder: its programs are copied, not compiled again.
set(LANESCOPE_PROGRAMS_FROM "" CACHE PATH "Build folder of these sources whose CUDA programs to take")

# Sets `taken` when that folder has this output, and makes the rule that copies it.
function(lanescope_take output taken)
  set(${taken} OFF PARENT_SCOPE)
  file(RELATIVE_PATH elsewhere "${PROJECT_BINARY_DIR}" "${output}")
  set(from "${LANESCOPE_PROGRAMS_FROM}/${elsewhere}")
  if(NOT LANESCOPE_PROGRAMS_FROM OR NOT EXISTS "${from}")
    return()
  endif()
  get_filename_component(name "${output}" NAME)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${from}" "${output}"
    DEPENDS "${from}"
    COMMENT "taking ${name}"
    VERBATIM)
  set(${taken} ON PARENT_SCOPE)
endfunction()

function(_lanescope_nvcc output source mode)
  cmake_parse_arguments(NVCC "FORGIVING" "" "ARCHS;DEPENDS;FLAGS" ${ARGN})
  if(NOT NVCC_FORGIVING)
    list(PREPEND NVCC_FLAGS ${LANESCOPE_NVCC_STRICT})
  endif()
  if(NOT NVCC_ARCHS)
    set(NVCC_ARCHS ${LANESCOPE_CUDA_ARCHS})
  endif()
  set(gencode)
  foreach(arch IN LISTS NVCC_ARCHS)
    list(APPEND gencode -gencode arch=compute_${arch},code=compute_${arch})
  endforeach()
  get_filename_component(source "${source}" ABSOLUTE)
  get_filename_component(directory "${output}" DIRECTORY)
  get_filename_component(name "${output}" NAME)
  file(MAKE_DIRECTORY "${directory}")
  lanescope_take("${output}" taken)
  if(taken)
    return()
  endif()
  if(NOT "${NVCC_FLAGS}" MATCHES "-O[0-3]")
    list(PREPEND NVCC_FLAGS -O2)
  endif()
  # nvcc's dependency file does not escape blanks, and ninja would build again and again; so it is
  # given paths from the build folder, which have none where the way to the project has some.
  file(RELATIVE_PATH from_here "${CMAKE_CURRENT_BINARY_DIR}" "${source}")
  file(RELATIVE_PATH headers "${CMAKE_CURRENT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/common/device")
  file(RELATIVE_PATH to "${CMAKE_CURRENT_BINARY_DIR}" "${output}")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${LANESCOPE_NVCC}" ${LANESCOPE_NVCC_FLAGS} ${NVCC_FLAGS} ${gencode} -I "${headers}"
            ${mode} "${from_here}" -o "${to}" -MD -MF "${to}.d"
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    DEPENDS "${source}" ${NVCC_DEPENDS}
    DEPFILE "${output}.d"
    COMMENT "nvcc ${name}"
    VERBATIM)
endfunction()

function(lanescope_cuda_program target source)
  cmake_parse_arguments(PROGRAM "" "OUTPUT" "ARCHS;DEPENDS;FLAGS" ${ARGN})
  if(NOT PROGRAM_OUTPUT)
    set(PROGRAM_OUTPUT "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  _lanescope_nvcc("${PROGRAM_OUTPUT}/${target}" "${source}" "" ARCHS ${PROGRAM_ARCHS} DEPENDS
                  ${PROGRAM_DEPENDS} FLAGS ${PROGRAM_FLAGS})
  # What this nvcc cannot compile is no part of a plain build: who asks for it is told why (viz/cli/build_lesson.cpp).
  lanescope_knows_archs(known ${PROGRAM_ARCHS})
  set(all)
  if(known)
    set(all ALL)
  endif()
  add_custom_target(${target}_program ${all} DEPENDS "${PROGRAM_OUTPUT}/${target}")
endfunction()

function(lanescope_cuda_object target source)
  cmake_parse_arguments(OBJECT "FORGIVING" "" "ARCHS;DEPENDS;FLAGS" ${ARGN})
  set(forgiving)
  if(OBJECT_FORGIVING)
    set(forgiving FORGIVING)
  endif()
  set(object "${CMAKE_CURRENT_BINARY_DIR}/${target}.o")
  _lanescope_nvcc("${object}" "${source}" -c ${forgiving} ARCHS ${OBJECT_ARCHS} DEPENDS
                  ${OBJECT_DEPENDS} FLAGS -Xcompiler -fPIC ${OBJECT_FLAGS})
  add_custom_target(${target} DEPENDS "${object}")
  set_target_properties(${target} PROPERTIES OBJECT "${object}")
endfunction()
