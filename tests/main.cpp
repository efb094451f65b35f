// SPDX-License-Identifier: MIT
// The one main() of every doctest program of the suite.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
