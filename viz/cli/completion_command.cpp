// SPDX-License-Identifier: MIT
// `completion`: the script for the shell, and the answers that it asks for.
#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/suggest.hpp"

namespace lanescope::cli {

namespace {

// The words that the shell will make of a line; the last one is what is being typed.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words(1);
  char quote = 0;
  bool is_open = false;  // a word has begun
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    const bool is_blank = c == ' ' || c == '\t';
    if (quote == 0 && is_blank) {
      if (is_open) words.emplace_back();
      is_open = false;
      continue;
    }
    is_open = true;
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && at + 1 < line.size()) {
      words.back() += line[++at];
    } else {
      words.back() += c;
    }
  }
  return words;
}

}  // namespace

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
  std::vector<std::string> words = words_of(options.line);
  words.erase(words.begin());  // the program's name
  const std::vector<std::string> program;
  std::vector<Command> all = course_commands();
  for (std::vector<Command> more : {look_commands(), run_commands(program)})
    std::move(more.begin(), more.end(), std::back_inserter(all));
  for (const std::string& word : completions(all, words)) fmt::print("{}\n", word);
  return 0;
}

}  // namespace lanescope::cli
