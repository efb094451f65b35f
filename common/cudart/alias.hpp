// SPDX-License-Identifier: MIT
// Programs built with --default-stream per-thread call the same functions under another name: with
// the suffix _ptsz, or _ptds where there is no stream to be given and the call waits for what it
// does. There 0, or nothing, is the calling thread's own stream.
#pragma once

#include "cudart/abi.hpp"
#include "cudart/default_stream.hpp"

namespace lanescope::cudart {

/// The function with the thread's own stream as the default one; `waits`: for what it does.
template <auto function, bool waits, class Type = decltype(function)>
struct Twin;
template <auto function, bool waits, class Result, class... Given>
struct Twin<function, waits, Result (*)(Given...)> {
  static Result call(Given... given) {
    const DefaultStream own(own_stream(), waits);
    return function(given...);
  }
};

inline constexpr bool kWaits_ptds = true, kWaits_ptsz = false;

/// The twin of a function, for those who ask for it by an address; nullptr if it has none.
void* find_twin(const void* function);

}  // namespace lanescope::cudart

#ifdef __aarch64__
#define LANESCOPE_JUMP_THROUGH(entry) \
  "adrp x16, " entry "\nldr x16, [x16, :lo12:" entry "]\nbr x16\n"
#else
#define LANESCOPE_JUMP_THROUGH(entry) "jmp *" entry "(%rip)\n"
#endif

// A function `name` that is nothing but a jump, arguments and all.
#define LANESCOPE_JUMP(name, entry)                                           \
  asm(".pushsection .text\n.globl " name "\n.type " name ", %function\n" name \
      ":\n" LANESCOPE_JUMP_THROUGH(entry) ".size " name ", . - " name "\n.popsection\n")

// Defines function_ptsz, or function_ptds. No macro knows the parameters that it has to have, so it
// jumps to what a template makes of them. The addresses of both go into a section, for find_twin.
#ifdef __EMSCRIPTEN__  // no program but one, which was built without such streams
#define LANESCOPE_TWIN(function, suffix) static_assert(true)
#else
#define LANESCOPE_TWIN(function, suffix)                                                          \
  extern "C" {                                                                                    \
  extern __attribute__((visibility("hidden"))) decltype(function)* const twin_##function##suffix; \
  decltype(function)* const twin_##function##suffix =                                             \
      &::lanescope::cudart::Twin<&function, ::lanescope::cudart::kWaits##suffix>::call;           \
  }                                                                                               \
  LANESCOPE_JUMP(#function #suffix, "twin_" #function #suffix);                                   \
  asm(".pushsection lanescope_twins, \"aw\"\n.balign 8\n.quad " #function ", " #function #suffix  \
      "\n.popsection\n")
#endif

// The same function by another name: for those that take no stream and do nothing in one.
#define LANESCOPE_ALIAS(function, suffix) \
  LANESCOPE_API decltype(function) function##suffix __attribute__((alias(#function)))
