// SPDX-License-Identifier: MIT
// The repository's files as git knows them (or, without git, as they lie in the folder).
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::repo {

/// Paths from the project's folder, sorted; build folders and traces left out.
std::vector<std::string> files();

/// The whole text of one of them.
std::string read(const std::string& path);

std::vector<std::string> lines(const std::string& text);

/// Whether one of `words` is in it. To be asked first: a regular expression takes a thousand times
/// as long, and nearly every line has none of the words.
bool has_any(const std::string& text, std::initializer_list<std::string_view> words);

/// What a shell command prints (stdout), run in the project's folder; its status through `status`.
std::string output_of(const std::string& command, int* status = nullptr);

}  // namespace lanescope::repo
