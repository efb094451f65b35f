// SPDX-License-Identifier: MIT
// What is pasted into a field. All of them have one line, of some 240 characters; Dear ImGui joins
// the lines of what it pastes without a blank, and pastes nothing of what is too long.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::viz {

/// The first line that says anything, without the blanks around it; the beginning of a long one.
std::string pasted(std::string_view clipboard);

/// From now on this is what fields get of the clipboard, whoever provides it.
void paste_one_line();

}  // namespace lanescope::viz
