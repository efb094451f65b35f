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

/// nullptr when it is not there. A value that begins as a name does is none; twice is refused.
inline const char* argument_value(int argc, char** argv, const char* name) {
  const char* value = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], name) != 0) continue;
    const bool has_value = i + 1 < argc && std::strncmp(argv[i + 1], "--", 2) != 0;
    if (has_value && value == nullptr) {
      value = argv[++i];
      continue;
    }
    if (has_value)
      std::fprintf(stderr, "lesson: %s is there twice: give it one value\n", name);
    else
      std::fprintf(stderr, "lesson: %s needs a value: %s VALUE\n", name, name);
    std::exit(2);
  }
  return value;
}

/// A word as somebody typed it, on stderr; what would make two lines of a message is a '?'.
inline void say_argument(const char* word) {
  for (; *word != '\0'; ++word)
    std::fputc(static_cast<unsigned char>(*word) < ' ' ? '?' : *word, stderr);
}

inline int argument_number(int argc, char** argv, const char* name, int otherwise, int least,
                           int most) {
  const char* text = argument_value(argc, argv, name);
  if (text == nullptr) return otherwise;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (end != text && *end == '\0' && number >= least && number <= most)
    return static_cast<int>(number);
  std::fprintf(stderr, "lesson: %s ", name);
  say_argument(text);
  std::fprintf(stderr, ": wanted is a whole number from %d to %d\n", least, most);
  std::exit(2);
}

inline void only_arguments(int argc, char** argv, std::initializer_list<const char*> with_value,
                           std::initializer_list<const char*> flags = {}) {
  for (int i = 1; i < argc; ++i) {
    bool known = false;
    for (const char* name : flags) known = known || std::strcmp(argv[i], name) == 0;
    for (const char* name : with_value) {
      if (std::strcmp(argv[i], name) != 0) continue;
      argument_value(argc, argv, name);
      known = true;
      ++i;  // its value
      break;
    }
    if (known) continue;
    std::fprintf(stderr, "lesson: unknown argument '");
    say_argument(argv[i]);
    std::fprintf(stderr, "'; this program takes:");
    for (const char* name : with_value) std::fprintf(stderr, " %s VALUE", name);
    for (const char* name : flags) std::fprintf(stderr, " %s", name);
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
}
