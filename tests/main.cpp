// SPDX-License-Identifier: MIT
// The one main() of every doctest program of the suite.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  // A sanitized test looks for its own leaks. Those of the hundreds of commands that it starts,
  // most of whose time that would be, are looked for where LSAN_OPTIONS says so (`./learn test
  // --all`).
  setenv("LSAN_OPTIONS", "detect_leaks=0", 0);
  return doctest::Context(argc, argv).run();
}
