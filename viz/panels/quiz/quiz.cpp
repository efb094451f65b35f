// SPDX-License-Identifier: MIT
// Reads answers, marks them, and counts; see quiz.hpp. The questions are quiz_questions.cpp's.
#include "panels/quiz/quiz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

namespace lanescope::viz {
namespace {

/// "r1", "b1" and "1" are 1; "lo" and "hi" are 0 and 1; -1: none of these.
int number_of(std::string word) {
  if (word == "lo" || word == "low") return 0;
  if (word == "hi" || word == "high") return 1;
  if (word.size() > 1 && std::isalpha(static_cast<unsigned char>(word[0])) != 0)
    word = word.substr(1);
  if (word.empty() || word.size() > 6 || word.find_first_not_of("0123456789") != std::string::npos)
    return -1;
  return std::atoi(word.c_str());
}

/// "byte", "bytes" and "of" where a part of the answer is a "number of bytes".
bool names_part(const QuizQuestion& question, const std::string& word) {
  for (const std::string& part : question.parts) {
    std::istringstream names(part);
    for (std::string name; names >> name;) {
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (word == name || word + "s" == name || word == name + "s") return true;
    }
  }
  return false;
}

/// Words that only say what the next number is.
bool is_filler(const QuizQuestion& question, const std::string& word) {
  const std::string& matrix = question.matrix.name;  // the "A" of A.r1
  if (word.size() == 1 && matrix.size() == 1 && std::toupper(word[0]) == matrix[0]) return true;
  for (const char* known : {"lane", "register", "reg", "part", "half", "bank", "and", "thread",
                            "stage", "tile", "parity", "byte", "n", "number"})
    if (word == known) return true;
  return names_part(question, word);
}

}  // namespace

std::string typed(std::string_view words) {
  constexpr std::size_t kMost = 40;
  if (words.size() <= kMost) return std::string(words);
  std::size_t end = kMost;
  // Not within a letter of several bytes.
  while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xc0u) == 0x80u) --end;
  return std::string(words.substr(0, end)) + " ...";
}

std::optional<std::vector<int>> read_answer(const QuizQuestion& question, std::string_view words,
                                            std::string& problem) {
  std::string text;
  for (const char c : words.substr(0, 200)) {
    const bool separates = c == ',' || c == '.' || c == ':' || c == '\t';
    text += separates ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  std::istringstream all(text);
  std::vector<int> numbers;
  for (std::string word; all >> word;) {
    if (is_filler(question, word)) continue;
    const int number = number_of(word);
    if (number < 0) {
      problem =
          fmt::format("'{}' is no part of an answer; it takes {}", typed(word), question.expects);
      return {};
    }
    numbers.push_back(number);
  }
  if (numbers.size() != question.parts.size()) {
    problem = fmt::format("that is {} number{}; it takes {}", numbers.size(),
                          numbers.size() == 1 ? "" : "s", question.expects);
    return {};
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] >= question.limits[i]) {
      problem = fmt::format("there is no {} {}; they go from 0 to {}", question.parts[i],
                            numbers[i], question.limits[i] - 1);
      return {};
    }
  return numbers;
}

QuizMark mark(const QuizQuestion& question, const std::vector<int>& answer) {
  for (const std::vector<int>& right : question.answers)
    if (answer == right) return {true, "Right."};
  const std::vector<int>& right = question.answers.front();
  std::string good, bad;
  for (std::size_t i = 0; i < right.size() && i < answer.size(); ++i) {
    std::string& list = answer[i] == right[i] ? good : bad;
    list += (list.empty() ? "the " : " and the ") + question.parts[i];
  }
  if (good.empty()) return {false, "Wrong."};
  const bool several = good.find(" and ") != std::string::npos;
  return {false, fmt::format("Not quite: {} {} right, {} {} not.", good, several ? "are" : "is",
                             bad, bad.find(" and ") == std::string::npos ? "is" : "are")};
}

Quiz begin_quiz(int lesson, std::uint64_t seed, int count) {
  Quiz quiz;
  quiz.lesson = lesson;
  quiz.seed = seed;
  quiz.questions = draw_quiz(lesson, seed, count);
  return quiz;
}

namespace {

/// The lane that a question about `held` means.
int meant_lane(const QuizMatrix& matrix, const layout::Held& held) {
  const int first = held.holder.register_index * 8;
  switch (matrix.lanes) {
    case QuizLanes::name_rows:
      return first + held.element.row % 8;
    case QuizLanes::name_columns:
      return first + held.element.col % 8;
    case QuizLanes::hold:
      break;
  }
  return held.holder.thread;
}

}  // namespace

std::string half_name(int parts, int part) {
  if (parts == 1) return "";
  if (parts == 2) return part == 0 ? ", low half" : ", high half";
  return fmt::format(", part b{}", part);
}

std::vector<int> asked_lanes(const QuizQuestion& q) {
  const layout::Fragment* map = q.matrix.map;
  if (map == nullptr) return {};
  std::vector<int> lanes(static_cast<std::size_t>(map->rows * map->cols), -1);
  for (const layout::Held& held : layout::register_layout(*map)) {
    const layout::Element e = held.element;
    if (!map->contains(e)) continue;
    int& lane = lanes[static_cast<std::size_t>(e.row * map->cols + e.col)];
    if (lane < 0) lane = meant_lane(q.matrix, held);  // else the first of several
  }
  return lanes;
}

std::vector<layout::Element> given_elements(const Quiz& quiz) {
  if (quiz.over() || quiz.given.size() != quiz.question().parts.size()) return {};
  const QuizMatrix& matrix = quiz.question().matrix;
  const layout::Fragment* map = matrix.map;
  if (map == nullptr) return {};
  std::vector<layout::Element> found;
  if (matrix.lanes != QuizLanes::hold) {
    const std::vector<int> lanes = asked_lanes(quiz.question());
    for (int at = 0; at < static_cast<int>(lanes.size()); ++at)
      if (lanes[static_cast<std::size_t>(at)] == quiz.given[0])
        found.push_back({at / map->cols, at % map->cols});
    return found;
  }
  const int parts = map->values_per_register();
  const int value = quiz.given[1] * parts + (parts > 1 ? quiz.given[2] : 0);
  const layout::Element e = map->element(quiz.given[0], value);
  if (map->contains(e)) found.push_back(e);
  return found;
}

std::string given_text(const Quiz& quiz) {
  const std::vector<layout::Element> given = given_elements(quiz);
  if (given.empty() || quiz.last.right) return {};
  const QuizQuestion& q = quiz.question();
  const layout::Element first = given.front(), last = given.back();
  if (q.matrix.lanes == QuizLanes::name_rows)
    return fmt::format("You said lane {}: it names row {}, columns {} to {}.", quiz.given[0],
                       first.row, first.col, last.col);
  if (q.matrix.lanes == QuizLanes::name_columns)
    return fmt::format("You said lane {}: it names column {}, rows {} to {}.", quiz.given[0],
                       first.col, first.row, last.row);
  const int parts = q.matrix.map->values_per_register();
  return fmt::format("You said {0} {1}, {2}.r{3}{4}: that is {2}[{5}][{6}].", q.parts[0],
                     quiz.given[0], q.matrix.name, quiz.given[1],
                     half_name(parts, parts > 1 ? quiz.given[2] : 0), first.row, first.col);
}

std::string give_answer(Quiz& quiz, std::string_view words) {
  if (quiz.over() || quiz.revealed) return {};
  if (words.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    quiz.last = {false, "Here it is:"};
  } else {
    std::string problem;
    const auto answer = read_answer(quiz.question(), words, problem);
    if (!answer) return problem;
    quiz.last = mark(quiz.question(), *answer);
    quiz.given = *answer;
  }
  quiz.right += quiz.last.right;
  quiz.revealed = true;
  return {};
}

void next_question(Quiz& quiz) {
  if (quiz.over()) return;
  ++quiz.at;
  quiz.revealed = false;
  quiz.last = {};
  quiz.given.clear();
}

std::string score(const Quiz& quiz) {
  const std::size_t asked = std::min(quiz.at + (quiz.revealed ? 1 : 0), quiz.questions.size());
  return asked == 0 ? "nothing answered yet" : fmt::format("{} of {} right", quiz.right, asked);
}

}  // namespace lanescope::viz
