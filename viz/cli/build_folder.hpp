// SPDX-License-Identifier: MIT
// The folder in which lessons are built, and what CMake noted in it. Nothing is built here:
// course_tools.hpp does that.
#pragma once

#include <filesystem>
#include <string>

namespace lanescope::cli {

/// This build's folder, or of another project (LANESCOPE_PROJECT) its own; LANESCOPE_BUILD in the
/// environment overrides both.
std::filesystem::path build_folder();

/// What the folder's CMakeCache.txt has by this name; "" when it has nothing.
std::string cached(const std::string& name);

/// The file that the folder would compile where the reader has `source`, if that is another one;
/// else "". A build is made for one checkout and knows no other.
std::filesystem::path compiled_instead_of(const std::filesystem::path& source);

}  // namespace lanescope::cli
