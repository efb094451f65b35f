# SPDX-License-Identifier: MIT
# Writes the functions of an older CUDA's library that are still what they were: each jumps to its
# namesake of today's library, arguments and all. Run as
#
#   cmake -DNM=nm -DLIBRARY=libcudart.so.13 "-DCHANGED=FILE.cpp;..." -DOUT=FILE.cpp -P forward.cmake
#
# The files CHANGED, where there are some, have the others: `OLDER(name)` before one that is written out,
# `RENAMED(name, now)` for one that has another name today.
#
# The addresses are looked up when the library is loaded (now.hpp) rather than linked: ld 2.40 writes a
# library that has f@@libcudart.so.12 and wants f@libcudart.so.13 with symbols that are none.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND "${NM}" -D --defined-only --without-symbol-versions "${LIBRARY}" OUTPUT_VARIABLE symbols
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T [A-Za-z0-9_]+" names "${symbols}")
get_filename_component(library "${LIBRARY}" NAME)
set(changed "")
set(jumps "")
set(wanted "")
set(count 0)
macro(forward name now)
  string(APPEND jumps "forward ${name}, ${count}\n")
  string(APPEND wanted "    \"${now}\",\n")
  math(EXPR count "${count} + 1")
endmacro()
foreach(file IN LISTS CHANGED)
  file(STRINGS "${file}" lines REGEX "^(OLDER|RENAMED)\\([A-Za-z0-9_]+[,)]")
  foreach(line IN LISTS lines)
    if(line MATCHES "^OLDER\\(([A-Za-z0-9_]+)\\)")
      list(APPEND changed ${CMAKE_MATCH_1})
    elseif(line MATCHES "^RENAMED\\(([A-Za-z0-9_]+), ([A-Za-z0-9_]+)\\)")
      list(APPEND changed ${CMAKE_MATCH_1})
      forward(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endif()
  endforeach()
endforeach()
foreach(name IN LISTS names)
  string(SUBSTRING "${name}" 3 -1 name)
  if(name MATCHES "^(cuda|__cuda|cublas)" AND NOT name IN_LIST changed)
    forward(${name} ${name})
  endif()
endforeach()
file(WRITE "${OUT}"
     "// Written by common/cudart/older/forward.cmake.
#include \"cudart/older/now.hpp\"

#ifdef __aarch64__
#define JUMP_THROUGH_ENTRY \\
  \"adrp x16, lanescope_now + 8 * \\\\entry\\n\" \\
  \"ldr x16, [x16, :lo12:lanescope_now + 8 * \\\\entry]\\n\" \\
  \"br x16\\n\"
#else
#define JUMP_THROUGH_ENTRY \"jmp *lanescope_now + 8 * \\\\entry(%rip)\\n\"
#endif

extern \"C\" __attribute__((visibility(\"hidden\"))) void* lanescope_now[${count}];
void* lanescope_now[${count}];

namespace {
constexpr const char* kNames[${count}] = {
${wanted}};
struct Find {
  Find() {
    for (int k = 0; k < ${count}; ++k) lanescope_now[k] = lanescope::cudart::find_now(\"${library}\", kNames[k]);
  }
} find;
}  // namespace

asm(\".text\\n\"
    \".macro forward name, entry\\n\"
    \".globl \\\\name\\n\"
    \".type \\\\name, %function\\n\"
    \"\\\\name:\\n\" JUMP_THROUGH_ENTRY
    \".size \\\\name, . - \\\\name\\n\"
    \".endm\\n\"
    R\"(
${jumps})\");
")
