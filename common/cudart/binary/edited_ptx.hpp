// SPDX-License-Identifier: MIT
// LANESCOPE_PTX=FOLDER: a program's PTX to look at, and to change. The n-th binary that is used is
// written to FOLDER/n.ptx; where that file is there already, it is run instead.
#pragma once

#include <string>

namespace lanescope::cudart {

std::string edited_ptx(const std::string& text);

}  // namespace lanescope::cudart
