// SPDX-License-Identifier: MIT
// The command line of a lesson: `--name VALUE` and `--flag`, nothing cleverer.
//
//     const char* trace = argument_value(argc, argv, "--trace");   // nullptr when it is not there
//     if (argument_given(argc, argv, "--bench")) ...
//     const int rounds = argument_number(argc, argv, "--rounds", 5, 1, 1000);   // 5 unless given
//     only_arguments(argc, argv, {"--trace"}, {"--bench"});        // anything else stops
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

inline bool argument_given(int argc, char** argv, const char* name) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], name) == 0) return true;
  return false;
}

inline const char* argument_value(int argc, char** argv, const char* name) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], name) != 0) continue;
    if (i + 1 < argc) return argv[i + 1];
    std::fprintf(stderr, "lesson: %s needs a value: %s %s VALUE\n", name, argv[0], name);
    std::exit(2);
  }
  return nullptr;
}

inline int argument_number(int argc, char** argv, const char* name, int otherwise, int least,
                           int most) {
  const char* text = argument_value(argc, argv, name);
  if (text == nullptr) return otherwise;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (end != text && *end == '\0' && number >= least && number <= most)
    return static_cast<int>(number);
  std::fprintf(stderr, "lesson: %s %s: wanted is a whole number from %d to %d\n", name, text, least,
               most);
  std::exit(2);
}

inline void only_arguments(int argc, char** argv, std::initializer_list<const char*> with_value,
                           std::initializer_list<const char*> flags = {}) {
  for (int i = 1; i < argc; ++i) {
    bool known = false;
    for (const char* name : flags) known = known || std::strcmp(argv[i], name) == 0;
    for (const char* name : with_value) {
      if (std::strcmp(argv[i], name) != 0) continue;
      known = true;
      ++i;  // its value
      break;
    }
    if (known) continue;
    std::fprintf(stderr, "lesson: unknown argument '%s'; this program takes:", argv[i]);
    for (const char* name : with_value) std::fprintf(stderr, " %s VALUE", name);
    for (const char* name : flags) std::fprintf(stderr, " %s", name);
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
}
