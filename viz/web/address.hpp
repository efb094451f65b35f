// SPDX-License-Identifier: MIT
// What stands behind the page's #: the words that `lanescope view` would be given.
#pragma once

#include <string>

#include "panels/frame/workspace.hpp"

namespace lanescope::viz {

/// "12 --panel pipeline": a lesson by its number. "" of a file that is nobody else's.
std::string address_of(const Workspace& workspace);

}  // namespace lanescope::viz
