// SPDX-License-Identifier: MIT
// See build_folder.hpp.
#include "cli/build_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "cli/project.hpp"

namespace lanescope::cli {

namespace fs = std::filesystem;

fs::path build_folder() {
  const char* other = std::getenv("LANESCOPE_BUILD");
  if (other != nullptr && *other != '\0') return other;
  std::error_code error;
  if (fs::equivalent(project_folder(), LANESCOPE_SOURCE_DIR, error)) return LANESCOPE_BUILD_DIR;
  const fs::path of_project = fs::path(project_folder()) / "build";
  return fs::exists(of_project / "CMakeCache.txt", error) ? of_project : LANESCOPE_BUILD_DIR;
}

std::string cached(const std::string& name) {
  std::ifstream cache(build_folder() / "CMakeCache.txt");
  for (std::string line; std::getline(cache, line);)
    if (line.rfind(name + ":", 0) == 0) return line.substr(line.find('=') + 1);
  return {};
}

OneAtATime::OneAtATime(const std::function<bool()>& stopped)
    : folder_(open(build_folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0 || flock(folder_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  fmt::print("Waiting for another command that compiles or checks here ...\n");
  std::fflush(stdout);
  while (flock(folder_, LOCK_EX) != 0 && errno == EINTR && !(stopped && stopped())) {
  }
}
OneAtATime::~OneAtATime() {
  if (folder_ >= 0) close(folder_);  // and lets the next one in
}

fs::path compiled_instead_of(const fs::path& source) {
  const std::string home = cached("CMAKE_HOME_DIRECTORY");
  if (home.empty()) return {};
  const fs::path compiled = fs::path(home) / source.lexically_relative(project_folder());
  std::error_code error;
  // Also where one folder is called by two names, or links lead from one to the other.
  return fs::equivalent(source, compiled, error) ? fs::path() : compiled;
}

}  // namespace lanescope::cli
