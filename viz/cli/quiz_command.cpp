// SPDX-License-Identifier: MIT
// `quiz N`: prediction mode in the terminal. The questions and the marks are
// viz/panels/quiz/quiz.hpp's; here they are asked and answered, from the keyboard or from
// --answers.
#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/course_tools.hpp"
#include "cli/suggest.hpp"
#include "cli/terminal.hpp"
#include "panels/quiz/quiz.hpp"

namespace lanescope::cli {
namespace {

/// "6 r1 hi; 3 r0 lo" at the semicolons.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

void print_indented(const std::string& text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    print("   {}\n", text.substr(begin, end - begin));
    begin = end + 1;
  }
}

void print_mark(const viz::Quiz& quiz) {
  print("   {}\n", quiz.last.text);
  if (const std::string given = viz::given_text(quiz); !given.empty()) print("   {}\n", given);
  print_indented(quiz.question().reveal);
  print("\n");
}

/// "q", "quit" or "exit", however it is written.
bool is_end(const std::string& line) {
  std::string word;
  for (const char c : line)
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "q" || word == "quit" || word == "exit";
}

/// False when somebody has had enough.
bool ask_at_the_keyboard(viz::Quiz& quiz) {
  while (!quiz.revealed) {
    print("   > ");
    std::fflush(stdout);
    std::string line;
    const bool there = static_cast<bool>(std::getline(std::cin, line));
    // What comes from a file or a pipe no terminal has shown.
    if (isatty(STDIN_FILENO) == 0) print("{}\n", viz::typed(one_line(line)));
    if (!there || is_end(line)) {
      if (isatty(STDIN_FILENO) != 0) print("\n");
      return false;
    }
    const std::string problem = viz::give_answer(quiz, line);
    if (!problem.empty()) print("   {}.\n", one_line(problem));
  }
  return true;
}

/// A fixed answer; one that cannot be read is a wrong one.
void take_answer(viz::Quiz& quiz, const std::string& words) {
  print("   > {}\n", viz::typed(one_line(words)));
  const std::string problem = viz::give_answer(quiz, words);
  if (problem.empty()) return;
  print("   {}.\n", one_line(problem));
  viz::give_answer(quiz, "");
}

std::uint64_t seed_of_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
             std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) %
         1000000;
}

}  // namespace

int quiz(const QuizOptions& options) {
  std::vector<std::string> answers;
  if (options.answers_given) answers = split(options.answers);
  const int count = options.questions;
  if (static_cast<int>(answers.size()) > count)
    return refuse(fmt::format("{} answers for {} questions; --questions {} asks as many",
                              answers.size(), count, answers.size()));
  viz::Quiz quiz = viz::begin_quiz(options.number, options.seed.value_or(seed_of_now()), count);
  if (quiz.questions.empty())
    return refuse(fmt::format("there are no questions about lesson {}; they go from 1 to {}",
                              options.number, viz::kQuizLessons));
  print("{} question{}{}, seed {} (--seed {} asks the same again).\n", count, count == 1 ? "" : "s",
        options.number == 0 ? std::string(" about all lessons")
                            : fmt::format(" about lesson {}", options.number),
        quiz.seed, quiz.seed);
  print("The map is hidden. An empty answer shows it, q ends.\n\n");
  while (!quiz.over()) {
    const viz::QuizQuestion& question = quiz.question();
    print("{}. {}\n   {}\n   ({})\n", quiz.at + 1, question.about, question.asks, question.expects);
    if (!options.answers_given) {
      if (!ask_at_the_keyboard(quiz)) break;
    } else if (quiz.at < answers.size()) {
      take_answer(quiz, answers[quiz.at]);
    } else {
      break;  // no more answers
    }
    print_mark(quiz);
    viz::next_question(quiz);
  }
  if (quiz.at == 0)
    print("Nothing answered. The same questions again: --seed {}\n", quiz.seed);
  else
    print("{}, seed {}.\n", viz::score(quiz), quiz.seed);
  return 0;
}

}  // namespace lanescope::cli
