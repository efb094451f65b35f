// SPDX-License-Identifier: MIT
// What a mistyped command or option may have meant, and how a command says no.
#pragma once

#include <string>
#include <vector>

namespace lanescope::cli {

/// Insertions, deletions, replacements and swaps of neighbours that make `b` of `a`.
int edit_distance(const std::string& a, const std::string& b);

/// The one of `names` that `word` may have meant, or "": a slip of the fingers, or its start.
std::string meant(const std::string& word, const std::vector<std::string>& names);

/// The error for `word`, with the nearest of `names` or all of them; "" when it is one of them.
std::string unknown_command(const std::string& word, const std::vector<std::string>& names);

/// `text` without line breaks and control characters: errors are one line.
std::string one_line(std::string text);

/// A line on stderr; of no consequence where there is none.
void say(const std::string& line);

/// Says why on stderr, in one line behind what was printed so far, and gives the exit code.
int refuse(const std::string& why, int code = 2);

}  // namespace lanescope::cli
