// SPDX-License-Identifier: MIT
// The end of the course: what somebody who has passed every exercise knows now, and what to read
// next.
#pragma once

#include <string>
#include <vector>

#include "guide/course.hpp"
#include "guide/progress.hpp"

namespace lanescope::guide {

/// What lesson `number` taught, in a line; "" when there is no such lesson.
std::string learned(int number);

/// The end screen, or "" while an exercise is still to be passed.
std::string ending(const std::vector<Lesson>& lessons, const Progress& progress);

}  // namespace lanescope::guide
