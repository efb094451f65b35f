// SPDX-License-Identifier: MIT
// The folder in which lessons are built, and what CMake noted in it. Nothing is built here:
// course_tools.hpp does that.
#pragma once

#include <filesystem>
#include <functional>
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

/// While it lives, others that build here and run what they have built wait, and say so: two at
/// once would write one file. Gives up when `stopped` says so.
class OneAtATime {
 public:
  explicit OneAtATime(const std::function<bool()>& stopped = nullptr);
  ~OneAtATime();
  OneAtATime(const OneAtATime&) = delete;
  OneAtATime& operator=(const OneAtATime&) = delete;

 private:
  int folder_;  // that is locked; where a file system has no locks, nobody waits
};

}  // namespace lanescope::cli
