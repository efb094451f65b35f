// SPDX-License-Identifier: MIT
// What the tests of the course's commands put into a folder of their own: lessons, and traces as
// their checks leave them.
#pragma once

#include <string>

#include "tests/cli/process.hpp"

namespace lanescope::test {

/// A trace with A's fragment of m16n8k16, two registers `exchanged` or none, and A itself.
std::string trace_of(bool exchanged, bool with_matrix);

/// The lessons' folders, with their pages and nothing else in them.
void put_lessons(const Folder& folder);

}  // namespace lanescope::test
