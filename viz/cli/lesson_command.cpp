// SPDX-License-Identifier: MIT
// The course: lesson, check, start, progress. Not written yet.
#include <cstdio>

#include "cli/commands.hpp"

namespace lanescope::cli {
namespace {

int missing(const char* command) {
  std::fprintf(stderr, "lanescope: %s is not there yet\n", command);
  return 2;
}

}  // namespace

int lesson(const LessonOptions&) { return missing("lesson"); }
int check(int) { return missing("check"); }
int start() { return missing("start"); }
int progress() { return missing("progress"); }

}  // namespace lanescope::cli
