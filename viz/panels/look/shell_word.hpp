// SPDX-License-Identifier: MIT
// Words as a POSIX shell has to be given them, for commands that are shown to be pasted.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::viz {

/// In single quotes, unless nothing in it means anything to a shell.
std::string shell_word(std::string_view word);

}  // namespace lanescope::viz
