// SPDX-License-Identifier: MIT
// The repository's files as git knows them (or, without git, as they lie in the folder).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::repo {

/// Paths from the project's folder, sorted; build folders and traces left out.
std::vector<std::string> files();

/// The whole text of one of them.
std::string read(const std::string& path);

std::vector<std::string> lines(const std::string& text);

/// What a shell command prints (stdout), run in the project's folder; its status through `status`.
std::string output_of(const std::string& command, int* status = nullptr);

}  // namespace lanescope::repo
