// SPDX-License-Identifier: MIT
#include "cli/lesson_names.hpp"

#include <fmt/format.h>

#include <sstream>

#include "cli/project.hpp"
#include "cli/suggest.hpp"

namespace lanescope::cli {
namespace {

using guide::Lesson;

std::string shown(const std::string& word) {
  return word.size() > 64 ? word.substr(0, 64) + "..." : word;
}

/// "09_wgmma or 11_wgmma_types", "06_naive_hgemm, 07_fast_hgemm or 13_hopper_hgemm".
std::string listed(const std::vector<const Lesson*>& lessons) {
  std::string text;
  for (std::size_t i = 0; i < lessons.size(); ++i)
    text += (i == 0 ? "" : i + 1 == lessons.size() ? " or " : ", ") + lessons[i]->name;
  return text;
}

/// What a name may be mistyped of: all of it without its number, and each of its words.
std::vector<std::string> parts_of_names(const std::vector<Lesson>& lessons) {
  constexpr std::size_t kShortest = 3;  // two letters are a slip away from anything
  std::vector<std::string> parts;
  for (const Lesson& lesson : lessons) {
    const std::string name = lesson.name.substr(lesson.name.find('_') + 1);
    parts.push_back(name);
    std::istringstream words(name);
    for (std::string word; std::getline(words, word, '_');)
      if (word.size() >= kShortest) parts.push_back(word);
  }
  return parts;
}

}  // namespace

MeantLesson meant_lesson(const std::string& word, const std::vector<Lesson>& lessons) {
  MeantLesson lesson;
  if (whole_number("", 1, 99)(word).empty()) {
    lesson.number = std::stoi(word);
    return lesson;
  }
  const std::vector<const Lesson*> found = guide::called(lessons, word);
  lesson.several = found.size() > 1;
  if (found.size() == 1) {
    lesson.number = found.front()->number;
  } else if (lesson.several) {
    constexpr std::size_t kMostListed = 5;
    lesson.problem =
        found.size() <= kMostListed
            ? fmt::format("'{}' may be {}", shown(word), listed(found))
            : fmt::format("'{}' is a part of {} lessons' names; write more of it, or a number",
                          shown(word), found.size());
  } else {
    lesson.near = listed(guide::called(lessons, meant(word, parts_of_names(lessons))));
    lesson.problem =
        fmt::format("'{}' is neither a lesson's number, 1 to {}, nor a part of a lesson's name",
                    shown(word), lessons.empty() ? 0 : lessons.back().number);
    if (!lesson.near.empty()) lesson.problem += fmt::format("; did you mean {}?", lesson.near);
  }
  return lesson;
}

MeantLesson meant_lesson(const std::string& word) {
  MeantLesson lesson = meant_lesson(word, guide::course(project_folder() + "/lessons"));
  if (const std::string gone = missing_checkout(); lesson.number == 0 && !gone.empty())
    lesson.problem = fmt::format("'{}' is no lesson's number, and {}", shown(word), gone);
  return lesson;
}

Option lesson_option(int& into, const char* what) {
  Option made{"lesson", what, "LESSON"};
  made.check = [](const std::string& word) { return meant_lesson(word).problem; };
  made.take = [&into](const std::vector<std::string>& words) {
    into = meant_lesson(words.front()).number;
  };
  return made;
}

}  // namespace lanescope::cli
