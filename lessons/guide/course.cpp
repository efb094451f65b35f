// SPDX-License-Identifier: MIT
// Finds the lessons; see course.hpp.
#include "guide/course.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "guide/file.hpp"

namespace lanescope::guide {
namespace {

namespace fs = std::filesystem;

/// 1 for "01_fragment_layout"; 0 when it is no lesson's name.
int number_of(const std::string& name) {
  const auto digit = [&](std::size_t i) {
    return std::isdigit(static_cast<unsigned char>(name[i])) != 0;
  };
  if (name.size() < 4 || !digit(0) || !digit(1) || name[2] != '_') return 0;
  return (name[0] - '0') * 10 + (name[1] - '0');
}

/// "cp async" for "05_cp_async".
std::string words_of(const std::string& name) {
  std::string words = name.substr(3);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

/// The word behind `key` in the comment that a source opens with; "" when it has none.
std::string word_behind(std::string_view key, const std::string& source) {
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line) && line.compare(0, 2, "//") == 0;) {
    if (line.compare(0, key.size(), key) != 0) continue;
    std::string words;
    std::istringstream(line.substr(key.size())) >> words;
    return words;
  }
  return "";
}

}  // namespace

std::string title_of(const std::string& readme) {
  std::string line = readme.substr(0, readme.find('\n'));
  while (!line.empty() && line.back() == '\r') line.pop_back();
  const std::size_t begin = line.find_first_not_of("# 0123456789");
  return line.empty() || line[0] != '#' || begin == std::string::npos ? "" : line.substr(begin);
}

std::string steps_of(const std::string& lesson_source) {
  return word_behind("//   Steps:", lesson_source);
}

std::string arch_of(const std::string& lesson_source) {
  return word_behind("//   Arch:", lesson_source);
}

std::vector<Lesson> course(const fs::path& lessons_folder) {
  std::vector<Lesson> lessons;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(lessons_folder, error)) {
    Lesson lesson;
    lesson.name = entry.path().filename().string();
    lesson.number = number_of(lesson.name);
    if (lesson.number == 0 || !entry.is_directory(error)) continue;
    lesson.title = title_of(contents_of(entry.path() / "README.md").value_or(""));
    if (lesson.title.empty()) lesson.title = words_of(lesson.name);
    const std::string source = contents_of(entry.path() / "lesson.cu").value_or("");
    if (const std::string arch = arch_of(source); !arch.empty()) lesson.arch = arch;
    lessons.push_back(lesson);
  }
  std::sort(lessons.begin(), lessons.end(),
            [](const Lesson& left, const Lesson& right) { return left.name < right.name; });
  const auto same = [](const Lesson& left, const Lesson& right) {
    return left.number == right.number;
  };
  lessons.erase(std::unique(lessons.begin(), lessons.end(), same), lessons.end());
  return lessons;
}

const Lesson* find(const std::vector<Lesson>& lessons, int number) {
  for (const Lesson& lesson : lessons)
    if (lesson.number == number) return &lesson;
  return nullptr;
}

std::vector<const Lesson*> called(const std::vector<Lesson>& lessons, const std::string& words) {
  std::string part;
  for (const char c : words)
    part +=
        c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::vector<const Lesson*> found;
  if (part.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos) return found;
  for (const Lesson& lesson : lessons)
    if (lesson.name.find(part) != std::string::npos) found.push_back(&lesson);
  return found;
}

}  // namespace lanescope::guide
