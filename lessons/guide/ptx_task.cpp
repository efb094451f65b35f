// SPDX-License-Identifier: MIT
// See ptx_task.hpp.
#include "guide/ptx_task.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

namespace lanescope::guide {
namespace {

constexpr std::string_view kOurs = "lanescope: ";
constexpr std::string_view kBanks = "lanescope: banks: ";

bool begins(std::string_view line, std::string_view with) {
  return line.substr(0, with.size()) == with;
}

/// What stands behind `key` in a line; "" where the line does not begin with it.
std::string behind(const std::string& line, std::string_view key) {
  if (!begins(line, key)) return "";
  const std::size_t end = line.find_last_not_of(" \t\r");
  return line.substr(key.size(), end + 1 - std::min(end + 1, key.size()));
}

std::string without_comments(const std::string& text) {
  std::string code;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) code += line.substr(0, line.find("//")) + '\n';
  return code;
}

/// "... are not as in FOLDER/parameter_2.bin, first ..." with what the learner knows of it.
std::string without_folder(std::string line) {
  constexpr std::string_view kNotAs = " not as in ";
  const std::size_t at = line.find(kNotAs), end = line.find(".bin, first ", at);
  if (at != std::string::npos && end != std::string::npos)
    line.replace(at, end + 4 - at, " not what the task wants");
  return line;
}

bool is_good_news(std::string_view line) {
  const auto ends = [line](std::string_view with) {
    return line.size() >= with.size() && line.substr(line.size() - with.size()) == with;
  };
  return ends("nothing to report") || ends("no conflicts") || ends(" to look at") ||
         ends("no kernel ran");
}

/// Our own lines, of bank conflicts or all others, each with the indented ones that belong to it.
std::string said_in(const std::string& printed, bool of_banks) {
  std::string said;
  bool takes = false;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    if (!begins(line, "  ")) {
      takes = begins(line, kOurs) && !is_good_news(line) && begins(line, kBanks) == of_banks;
      if (takes) line.erase(0, kOurs.size());
    }
    if (takes) said += without_folder(line) + '\n';
  }
  return said;
}

}  // namespace

PtxTask ptx_task(const std::string& solution) {
  PtxTask task;
  std::istringstream lines(solution);
  for (std::string line; std::getline(lines, line) && begins(line, "//");) {
    if (const std::string words = behind(line, "// run: "); !words.empty())
      task.launches.push_back(words);
    if (const std::string name = behind(line, "// uses: "); !name.empty())
      task.uses.push_back(name);
    task.no_conflicts = task.no_conflicts || behind(line, "// banks: ") == "none";
    task.is_strict = task.is_strict || behind(line, "// check: ") == "strict";
  }
  return task;
}

std::string not_used(const PtxTask& task, const std::string& answer) {
  const std::string code = without_comments(answer);
  for (const std::string& name : task.uses) {
    const auto is_part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '%';
    };
    bool found = false;
    for (std::size_t at = code.find(name); at != code.npos && !found; at = code.find(name, at + 1))
      found = at == 0 || !is_part(code[at - 1]);
    if (!found) return name;
  }
  return "";
}

std::string wrong_with(bool good, const std::string& printed) {
  if (good) return "";
  const std::string said = said_in(printed, false);
  if (!said.empty()) return said;
  const std::size_t end = printed.find_last_not_of('\n');  // what is not ours has said something
  if (end == printed.npos) return "it ended without a word\n";
  return printed.substr(printed.rfind('\n', end) + 1);
}

std::string conflicts_in(const PtxTask& task, const std::string& printed) {
  return task.no_conflicts ? said_in(printed, true) : "";
}

}  // namespace lanescope::guide
