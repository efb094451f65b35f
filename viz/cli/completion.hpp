// SPDX-License-Identifier: MIT
// What a shell offers when Tab is pressed: commands, options, their values where these are few,
// lessons, and the instructions of the atlas, a piece of a name at a time. File names are the
// shell's own business.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"

namespace lanescope::cli {

/// What the last of `words` (behind the program's name) may become: whole words, or an
/// instruction's name up to its next dot.
std::vector<std::string> completions(const std::vector<Command>& commands,
                                     const std::vector<std::string>& words);

/// For bash (and zsh's bashcompinit): to be read by `eval "$(lanescope completion)"`. `program` is
/// what it asks.
std::string completion_script(const std::string& program);

}  // namespace lanescope::cli
