// SPDX-License-Identifier: MIT
// How the arguments of calls are drawn by a number, and what is said of them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace calls {

// The draws, splitmix64, and what is said of them: `said` is what the call was given, `told` what
// came out of it beside its answer.
inline uint64_t state;
inline std::string said, told;

inline uint64_t next() {
  state += 0x9e3779b97f4a7c15ull;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
inline unsigned below(unsigned end) { return unsigned(next() % end); }

inline void say(const std::string& what) {
  if (!said.empty() && said.back() != '(') said += ", ";
  said += what;
}
template <class T>
T say_value(T value) {
  say(std::to_string((long long)value));
  return value;
}
template <class T>
T named(const char* name, T value) {
  say(name);
  return value;
}
template <class T>
void put(const char* what, T value) {
  told += std::string(" ") + what + "=" + std::to_string((long long)value);
}

inline size_t few() {
  const size_t all[] = {0, 1, 2, 4, 8, 16, 17, 32, 64, 128};
  return say_value(all[below(10)]);
}
inline int small(int least, int most) {
  return say_value(least + int(below(unsigned(most - least + 1))));
}

}  // namespace calls
