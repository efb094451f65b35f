// SPDX-License-Identifier: MIT
// `completion`: the script for the shell, and the answers that it asks for.
#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/suggest.hpp"

namespace lanescope::cli {

int completion(const CompletionOptions& options) {
  if (options.shell != "bash")
    return refuse(
        fmt::format("completion: there is a script for bash alone, none for '{}'", options.shell));
  if (options.line.empty()) {
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return refuse("where this program is, the system does not say: " + error.message());
    fmt::print("{}", completion_script(self.string()));
    return 0;
  }
  std::vector<std::string> words;
  std::istringstream line(options.line);
  for (std::string word; line >> word;) words.push_back(word);
  if (options.line.find_last_of(" \t") == options.line.size() - 1) words.emplace_back();
  words.erase(words.begin());  // the program's name
  const std::vector<std::string> program;
  std::vector<Command> all = course_commands();
  for (std::vector<Command> more : {look_commands(), run_commands(program)})
    std::move(more.begin(), more.end(), std::back_inserter(all));
  for (const std::string& word : completions(all, words)) fmt::print("{}\n", word);
  return 0;
}

}  // namespace lanescope::cli
