# SPDX-License-Identifier: MIT
# How a room is compiled: one place for the language, the warnings and the sanitizers.
#
#   lanescope_room(layout SOURCES a.cpp b.cpp SEES numeric LINKS fmt::fmt)
#       a static library lanescope_layout; #include "layout/a.hpp" from the rooms that SEE it. APART:
#       those of the sources that have names of their own which others have, too: the other files are
#       compiled six at a time.
#   lanescope_test(layout SOURCES a_test.cpp SEES layout)
#       a doctest program tests/lanescope_layout_test, registered with ctest as `layout`; APART as
#       above; COST, its seconds where they are many, sanitized if that takes longer: those start first,
#       so that short ones are left for the end. CALCULATES: most of them are spent in the
#       test's own code, which is optimised then. WITHOUT: test suites (doctest's) that it leaves to
#       others; `twice` is left out of every sanitized test (see below).

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O3 -g1")

# Six files of a room, or of its test, at a time: headers that they share are read once, which halves the
# time of a first build; who changes one of them waits for six, 2 or 3 seconds. OFF makes compile_commands.json whole.
set(CMAKE_UNITY_BUILD ON CACHE BOOL "Compile the files of a room by the half-dozen")
set(CMAKE_UNITY_BUILD_BATCH_SIZE 6)

find_program(LANESCOPE_CCACHE ccache)
if(LANESCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The other configurations that the tests build are to find what the first one compiled: nothing of
  # the build folder's name may count. (The sloppiness is what ccache wants for precompiled headers.)
  # Nor is a precompiled header of 70 MB to be read for each file: its checksum lies beside it.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      env "CCACHE_BASEDIR=${PROJECT_BINARY_DIR}" CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 "${LANESCOPE_CCACHE}")
  set(LANESCOPE_SUMMED "${CMAKE_CURRENT_LIST_DIR}/summed.sh" ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
# What tests include from. The dot is for ccache 4.7, to which any folder above its base folder is part
# of that: it would name this one from the build folder, each time otherwise.
set(LANESCOPE_ROOT "${PROJECT_SOURCE_DIR}/.")

# A library is loaded only by what calls it: libcudart goes into other people's programs and has no
# business loading the trace reader's JSON parser.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_link_options(-Wl,--as-needed)
endif()

if(NOT EMSCRIPTEN)  # else LanescopeWeb.cmake has them
  find_package(PkgConfig REQUIRED)
  find_package(fmt 9 REQUIRED)
  find_package(Threads REQUIRED)
endif()

add_library(lanescope_options INTERFACE)
target_compile_options(
  lanescope_options
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -ffp-contract=off $<$<NOT:$<PLATFORM_ID:Emscripten>>:-fPIC>>)
# GCC 12 sees overlaps in nearly every assignment of a literal to a std::string (its bug 105651), and
# overruns where the string's header is precompiled; 14 sees those, too. The sanitized tests find the real ones.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(
    lanescope_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-array-bounds
                                -Wno-stringop-overflow -Wno-stringop-overread>)
endif()
# From 13 on it takes a temporary argument for what the reference refers to that a function returns.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  target_compile_options(lanescope_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
endif()
# `const float x = a * c, y = b * c;` of doubles, both of which then go into sums of doubles: GCC 12 makes a vector of the two
# (at -O2 and -O3) and forgets to round to float. Every bit counts here: no vectors of straight lines. The emulator is no slower.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(lanescope_options
                         INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-tree-slp-vectorize>)
endif()
# clang says which loops over lanes it does not make vectors of (rows.hpp): that costs time, no more.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(lanescope_options
                         INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-pass-failed>)
endif()
# Tests are compiled more often than run: those that do not calculate are not optimised at all.
set(is_test $<BOOL:$<TARGET_PROPERTY:LANESCOPE_TEST>>)
set(is_plain $<BOOL:$<TARGET_PROPERTY:LANESCOPE_PLAIN>>)
set(calculates $<BOOL:$<TARGET_PROPERTY:LANESCOPE_CALCULATES>>)
set(for_tests $<${is_test}:$<IF:${calculates},-O1,-O0>>)
if(LANESCOPE_SANITIZE)
  # A null pointer and the end of an object are AddressSanitizer's to see; UBSan's checks of each
  # access for them, and inlining as far as -O1 goes, are a third of the time to compile.
  target_compile_options(lanescope_options INTERFACE
                         $<IF:${is_plain},${for_tests},$<IF:${is_test},-O0,$<IF:${calculates},-O1,-Og>>>)
  # GCC's manual: the sanitizers make it warn of uninitialised variables that are none.
  set(sanitize -fsanitize=address,undefined -fno-sanitize=null,object-size -fno-sanitize-recover=all
               -fno-omit-frame-pointer -g1
               $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-uninitialized> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  # In a test's own code undefined behaviour stops it without a word; a fifth less to compile.
  list(APPEND sanitize $<${is_test}:-fsanitize-undefined-trap-on-error>)
  if(LANESCOPE_COVERAGE)
    # As they run sanitized, which lines they meet: AddressSanitizer is linked, so that they take the same samples.
    set(sanitize --coverage -fprofile-update=prefer-atomic -g1)
    target_link_options(lanescope_options INTERFACE --coverage)
  endif()
  target_compile_options(lanescope_options INTERFACE "$<$<NOT:${is_plain}>:${sanitize}>")
  # At fixed addresses: what the sanitizers know of each check and each literal is megabytes of pointers,
  # which a program would otherwise correct at every start. Tests start hundreds.
  target_link_options(lanescope_options INTERFACE -fsanitize=address,undefined
                      $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
else()
  target_compile_options(lanescope_options INTERFACE ${for_tests})
endif()

# Tests whose own code is not sanitized, though all that they call is: they are compiled to the letter
# as where nothing is, so that ccache has them. Twenty files of tests take as long as a room.
set(LANESCOPE_PLAIN_TESTS "" CACHE STRING "Pattern of the tests that are not sanitized themselves")

# What nearly every file includes is read once, not two hundred times. It is a help to the compiler
# alone: every file includes what it uses, and -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds the same.
set(often <algorithm> <array> <cstdint> <cstring> <fmt/format.h> <map> <memory> <optional> <set> <span>
          <string> <string_view> <unordered_map> <variant> <vector>)
set(often_in_tests ${often} <doctest/doctest.h> <filesystem> <fstream> <functional> <sstream>)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/nothing.cpp" CONTENT "")  # only if it is not there
function(lanescope_precompiled target)
  add_library(${target} OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/nothing.cpp")  # who reuses it
  target_link_libraries(${target} PRIVATE lanescope_options fmt::fmt)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(LANESCOPE_SUMMED)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${LANESCOPE_SUMMED}")
  endif()
endfunction()
# Once for each level: from g++ 13 on -O1 and -O3 differ in options of x86's, and what was read with one is no good to the other.
lanescope_precompiled(lanescope_often ${often})
lanescope_precompiled(lanescope_often_O1 ${often})
target_compile_options(lanescope_often_O1 PRIVATE -O1)
if(LANESCOPE_SANITIZE)
  set_target_properties(lanescope_often lanescope_often_O1 PROPERTIES LANESCOPE_PLAIN ON)
  lanescope_precompiled(lanescope_often_sanitized ${often})
endif()
set(LANESCOPE_DOCTEST DOCTEST_CONFIG_SUPER_FAST_ASSERTS)  # a CHECK is a call: half the time to compile
if(LANESCOPE_TESTS)
  find_package(doctest REQUIRED)
  lanescope_precompiled(lanescope_often_in_tests ${often_in_tests})
  target_compile_definitions(lanescope_often_in_tests PRIVATE ${LANESCOPE_DOCTEST})
  target_link_libraries(lanescope_often_in_tests PRIVATE doctest::doctest)
  set_target_properties(lanescope_often_in_tests PROPERTIES LANESCOPE_TEST ON LANESCOPE_PLAIN ON)
endif()

# The same of rooms: those that this pattern names are not sanitized, and come from ccache, too.
set(LANESCOPE_PLAIN_ROOMS "" CACHE STRING "Pattern of the rooms that are not sanitized")
function(lanescope_plain_or_sanitized target room)
  get_directory_property(options COMPILE_OPTIONS)
  set(headers lanescope_often)
  if("-O1" IN_LIST options)
    set(headers lanescope_often_O1)
  endif()
  if(LANESCOPE_SANITIZE AND room MATCHES "^(${LANESCOPE_PLAIN_ROOMS})$")
    set_target_properties(${target} PROPERTIES LANESCOPE_PLAIN ON)
  elseif(LANESCOPE_SANITIZE)
    set(headers lanescope_often_sanitized)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

function(lanescope_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;APART;SEES;LINKS" ${ARGN})
  add_library(lanescope_${name} STATIC ${ROOM_SOURCES})
  set_source_files_properties(${ROOM_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(lanescope_${name} PUBLIC "${PROJECT_SOURCE_DIR}/common")
  target_link_libraries(lanescope_${name} PUBLIC lanescope_options ${ROOM_LINKS})
  lanescope_plain_or_sanitized(lanescope_${name} ${name})
  foreach(other IN LISTS ROOM_SEES)
    target_link_libraries(lanescope_${name} PUBLIC lanescope_${other})
  endforeach()
  set_target_properties(lanescope_${name} PROPERTIES LANESCOPE_SEES "${ROOM_SEES}")
endfunction()

# Of an inline function that several files have, the linker keeps the first: so the rooms that a test
# sees come before its own files, whose copies are not sanitized, and before rooms that are not.
function(lanescope_rooms_first target)
  set(rooms ${ARGN})
  while(rooms)
    list(POP_FRONT rooms room)
    get_target_property(sees lanescope_${room} LANESCOPE_SEES)
    if(sees)
      list(APPEND rooms ${sees})
    endif()
    if(room MATCHES "^(${LANESCOPE_PLAIN_ROOMS})$")
      continue()
    endif()
    target_link_options(${target} PRIVATE
      "LINKER:--whole-archive,$<TARGET_FILE:lanescope_${room}>,--no-whole-archive")
  endwhile()
endfunction()

# The tests that this pattern names are not built (tests/repo/CMakeLists.txt).
set(LANESCOPE_TESTS_WITHOUT "" CACHE STRING "Pattern of the tests that nobody will run")

# A target that the test `name` alone needs.
function(lanescope_built_for_test target name)
  if(name MATCHES "^(${LANESCOPE_TESTS_WITHOUT})$")
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# This target is, or belongs to, the test `name`: says how it is optimised, and whether it is sanitized.
function(lanescope_code_of_test target name)
  cmake_parse_arguments(CODE "CALCULATES" "" "" ${ARGN})
  set_target_properties(${target} PROPERTIES LANESCOPE_TEST ON LANESCOPE_CALCULATES ${CODE_CALCULATES})
  if(LANESCOPE_SANITIZE AND NOT name MATCHES "^(${LANESCOPE_PLAIN_TESTS})$")
    if(CODE_CALCULATES)
      set_target_properties(${target} PROPERTIES LANESCOPE_TEST OFF)
    endif()
  else()
    set_target_properties(${target} PROPERTIES LANESCOPE_PLAIN ON)
    set(headers lanescope_often_in_tests)
    if(CODE_CALCULATES)
      set(headers lanescope_often_O1)
    endif()
    target_precompile_headers(${target} REUSE_FROM ${headers})
  endif()
endfunction()

# Links a test in half the time; Debian 12 has it beside the usual linker.
find_program(LANESCOPE_GOLD ld.gold)

# A case of the suite `twice` takes long where it is sanitized and meets no line of the rooms there that
# the other cases do not meet, so gcov says: sanitizing it would run the same lines once more. Where
# nothing is sanitized all cases run.
function(lanescope_test name)
  cmake_parse_arguments(TEST "CALCULATES" "TIMEOUT;COST" "SOURCES;APART;SEES;LINKS;WITHOUT" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 900)
  endif()
  if(NOT TEST_COST)
    set(TEST_COST 0)
  endif()
  set(target lanescope_${name}_test)
  add_executable(${target} ${TEST_SOURCES} $<TARGET_OBJECTS:lanescope_test_main>)
  set_source_files_properties(${TEST_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  set(calculates)
  if(TEST_CALCULATES)
    set(calculates CALCULATES)
  endif()
  lanescope_code_of_test(${target} ${name} ${calculates})
  target_include_directories(${target} PRIVATE "${LANESCOPE_ROOT}")
  target_compile_definitions(${target} PRIVATE LANESCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               ${LANESCOPE_DOCTEST})
  target_link_libraries(${target} PRIVATE lanescope_options doctest::doctest fmt::fmt ${TEST_LINKS})
  if(LANESCOPE_GOLD)
    target_link_options(${target} PRIVATE -fuse-ld=gold)
  endif()
  foreach(other IN LISTS TEST_SEES)
    target_link_libraries(${target} PRIVATE lanescope_${other})
  endforeach()
  if(LANESCOPE_SANITIZE)
    lanescope_rooms_first(${target} ${TEST_SEES})
  endif()
  if(LANESCOPE_SANITIZE)
    list(APPEND TEST_WITHOUT twice)
  endif()
  list(JOIN TEST_WITHOUT "," without)
  list(TRANSFORM without PREPEND --test-suite-exclude=)
  add_test(NAME ${name} COMMAND ${target} ${without})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT} COST ${TEST_COST})
  lanescope_built_for_test(${target} ${name})
endfunction()
