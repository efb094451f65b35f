// SPDX-License-Identifier: MIT
// Words as a POSIX shell has to be given them, for commands that are shown to be pasted; and such
// commands, read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::viz {

/// In single quotes, unless nothing in it means anything to a shell.
std::string shell_word(std::string_view word);

/// The words of a command whose words shell_word wrote: blanks, single quotes, and a backslash
/// before one character. A quote that is not closed ends with the text.
std::vector<std::string> shell_words(std::string_view text);

}  // namespace lanescope::viz
