// SPDX-License-Identifier: MIT
#include "tests/repo/files.hpp"
#include "tests/contents.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

namespace lanescope::repo {
namespace fs = std::filesystem;

bool has_any(const std::string& text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](const std::string_view& word) {
    return text.find(word) != std::string::npos;
  });
}

std::string output_of(const std::string& command, int* status) {
  const std::string in_project = "cd '" LANESCOPE_SOURCE_DIR "' && " + command;
  std::string text;
  FILE* pipe = ::popen(in_project.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 4096> buffer{};
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), n);
  const int closed = ::pclose(pipe);
  if (status != nullptr) *status = closed;
  return text;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

std::vector<std::string> files() {
  // Tracked files and new ones that are not ignored: what a commit would hold.
  int status = 0;
  std::vector<std::string> all =
      lines(output_of("git ls-files --cached --others --exclude-standard 2>/dev/null", &status));
  if (status != 0 || all.empty()) {
    all.clear();
    for (auto it = fs::recursive_directory_iterator(LANESCOPE_SOURCE_DIR);
         it != fs::recursive_directory_iterator(); ++it) {
      const std::string name = it->path().filename().string();
      if (it->is_directory() && (name.rfind("build", 0) == 0 || name == ".git" || name == "traces"))
        it.disable_recursion_pending();
      else if (it->is_regular_file())
        all.push_back(fs::relative(it->path(), LANESCOPE_SOURCE_DIR).string());
    }
  }
  std::erase_if(all, [](const std::string& path) {
    return !fs::exists(fs::path(LANESCOPE_SOURCE_DIR) / path);  // deleted, not yet committed
  });
  std::sort(all.begin(), all.end());
  return all;
}

std::string read(const std::string& path) {
  return tests::contents_of(fs::path(LANESCOPE_SOURCE_DIR) / path);
}

}  // namespace lanescope::repo
