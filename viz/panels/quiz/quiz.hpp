// SPDX-License-Identifier: MIT
// Prediction mode: the map is hidden, and somebody is asked where an element is. Draws questions,
// reads answers, marks them, and says why; the terminal and the window show the same ones.
// Pure model, no Dear ImGui.
//
//     question   which lane, register and half holds A[9][5]?      of the instruction of lesson 1
//     answer     "6 r1 hi", "lane 6 register 1 high", "6 1 1"
//     mark       right; or: the lane is right, the register is not
//     reveal     lane 6, A.r1, high half, and the ISA's formula with the numbers filled in
//
// Other lessons ask what theirs is about: how many groups a wait leaves, which parity a ring waits
// for, at which byte a descriptor looks. Questions come from a seed that is shown: the same seed
// asks the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/instruction.hpp"

namespace lanescope::viz {

/// Which lane a question means: who holds an element, or who names the row or the column of an
/// 8 x 8 block that it is in to ldmatrix.
enum class QuizLanes { hold, name_rows, name_columns };

/// The element that is asked for, and the map of its matrix.
struct QuizMatrix {
  const layout::Fragment* map = nullptr;  // nullptr: the question is about no matrix
  layout::Element element;
  std::string name;  // "A": its registers are A.r0, A.r1, ...
  QuizLanes lanes = QuizLanes::hold;
};

struct QuizQuestion {
  std::string about;               // the instruction, or what lies how in memory
  std::string asks;                // "Which lane, which register and which half hold A[9][5]?"
  std::string expects;             // "lane register half, such as 6 r1 hi"
  std::vector<std::string> parts;  // what each number of an answer is: lane, register, half
  std::vector<std::vector<int>> answers;  // any of them is right
  std::vector<int> limits;                // each number is below its limit
  std::string reveal;                     // the answer and why, one or more lines
  QuizMatrix matrix;
};

/// ", high half", ", part b3", or nothing where a register is not divided.
std::string half_name(int parts, int part);
/// The lane of every element of it, row after row, as the question means it; -1: none.
std::vector<int> asked_lanes(const QuizQuestion& question);

/// `count` questions for a lesson (0: for all of them), no two alike in a row.
std::vector<QuizQuestion> draw_quiz(int lesson, std::uint64_t seed, int count);

/// Reads "6 r1 hi". Nothing, and `problem` says why, when that is no answer to the question.
std::optional<std::vector<int>> read_answer(const QuizQuestion& question, std::string_view words,
                                            std::string& problem);

/// What somebody typed, cut where it is longer than any answer: "banana banana bana ...".
std::string typed(std::string_view words);

struct QuizMark {
  bool right = false;
  std::string text;  // "right", "the lane is right, the register is not"
};
QuizMark mark(const QuizQuestion& question, const std::vector<int>& answer);

/// Lessons that there are questions about: 1 to this.
inline constexpr int kQuizLessons = 23;

/// How far somebody is.
struct Quiz {
  int lesson = 0;
  std::uint64_t seed = 0;
  std::vector<QuizQuestion> questions;
  std::size_t at = 0;  // the question that is asked, or whose answer is shown
  int right = 0;
  bool revealed = false;  // of the question at `at`
  QuizMark last;
  std::vector<int> given;  // the answer to it; empty: none

  bool over() const { return at >= questions.size(); }
  const QuizQuestion& question() const { return questions[at]; }
};
Quiz begin_quiz(int lesson, std::uint64_t seed, int count);
/// Marks an answer to the current question and reveals it. An empty one is "I do not know".
/// "" or what is wrong with the words: then nothing has happened.
std::string give_answer(Quiz& quiz, std::string_view words);
/// The elements for which the answer that was given would be right, in the order of rows.
std::vector<layout::Element> given_elements(const Quiz& quiz);
/// What it would be right for: "You said lane 3, B.r1, low half: that is B[8][0]."; "" when it was
/// right, or none.
std::string given_text(const Quiz& quiz);
void next_question(Quiz& quiz);
/// "4 of 5 right"; "nothing answered yet".
std::string score(const Quiz& quiz);

}  // namespace lanescope::viz
