// SPDX-License-Identifier: MIT
// The quiz asks what its lesson is about, the same for the same seed; its answers are the atlas's;
// it reads answers as people write them, and says what is no answer.
#include "panels/quiz/quiz.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "layout/mover.hpp"
#include "tests/viz/quiz_words.hpp"

using namespace lanescope;
using namespace lanescope::viz;

namespace {

std::vector<int> read(const QuizQuestion& question, const std::string& words) {
  std::string problem;
  const auto answer = read_answer(question, words, problem);
  CAPTURE(words);
  CAPTURE(problem);
  REQUIRE(answer.has_value());
  return *answer;
}

std::string refused(const QuizQuestion& question, const std::string& words) {
  std::string problem;
  CHECK(!read_answer(question, words, problem).has_value());
  CHECK(!problem.empty());
  return problem;
}

/// A question with a lane, a register and a half.
QuizQuestion with_half() {
  for (const QuizQuestion& question : draw_quiz(1, 7, 50))
    if (question.parts.size() == 3) return question;
  REQUIRE(false);
  return {};
}

std::string words_of(const std::vector<int>& answer) {
  std::string words;
  for (const int number : answer) words += std::to_string(number) + " ";
  return words;
}

TEST_CASE("an answer is right for one element, or, of addresses, for a line of eight") {
  Quiz quiz = begin_quiz(3, 1, 80);
  std::set<QuizLanes> seen;
  for (; !quiz.over(); next_question(quiz)) {
    const QuizQuestion& q = quiz.question();
    const layout::Fragment* map = q.matrix.map;
    const layout::Element asked = q.matrix.element;
    REQUIRE(map != nullptr);
    const std::vector<int> lanes = asked_lanes(q);
    REQUIRE(lanes.size() == static_cast<std::size_t>(map->rows * map->cols));
    CHECK(lanes[static_cast<std::size_t>(asked.row * map->cols + asked.col)] == q.answers[0][0]);
    CHECK(give_answer(quiz, words_of(q.answers[0])) == "");
    const std::vector<layout::Element> given = given_elements(quiz);
    REQUIRE(given.size() == (q.matrix.lanes == QuizLanes::hold ? 1 : 8));
    bool there = false;
    for (const layout::Element e : given) {
      there = there || (e.row == asked.row && e.col == asked.col);
      CHECK((q.matrix.lanes == QuizLanes::name_columns ? e.col == given.front().col
                                                       : e.row == given.front().row));
    }
    CHECK(there);
    CHECK(given_text(quiz) == "");  // it was right
    seen.insert(q.matrix.lanes);
  }
  CHECK(seen.size() == 3);
}

TEST_CASE("a wrong answer is told what it would be right for; none, and a bank, nothing") {
  Quiz quiz = begin_quiz(1, 1, 6);
  while (quiz.question().matrix.name != "B") next_question(quiz);
  REQUIRE(quiz.question().answers[0] != std::vector<int>{3, 1, 0});
  give_answer(quiz, "3 r1 lo");
  CHECK(given_text(quiz) == "You said lane 3, B.r1, low half: that is B[14][0].");
  quiz = begin_quiz(1, 1, 1);
  give_answer(quiz, "");
  CHECK(given_text(quiz) == "");
  quiz = begin_quiz(4, 1, 1);
  const int bank = quiz.question().answers[0][0];
  give_answer(quiz, std::to_string((bank + 1) % 32));
  CHECK(given_text(quiz) == "");
}

}  // namespace

TEST_CASE("the same seed asks the same, another one something else") {
  const auto one = draw_quiz(1, 42, 20), again = draw_quiz(1, 42, 20), other = draw_quiz(1, 43, 20);
  REQUIRE(one.size() == 20);
  int same = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].asks == again[i].asks);
    CHECK(one[i].answers == again[i].answers);
    same += one[i].asks == other[i].asks;
  }
  CHECK(same < 5);
  CHECK(draw_quiz(1, 42, 3)[2].asks == one[2].asks);
}

TEST_CASE("a quiz of five or ten asks nothing twice, and topics take turns") {
  for (int lesson = 0; lesson <= 13; ++lesson)
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      CAPTURE(lesson);
      CAPTURE(seed);
      std::set<std::string> asked;
      for (const QuizQuestion& question : draw_quiz(lesson, seed, 10))
        CHECK(asked.insert(question.about + question.asks).second);
    }
  // Lesson 5 has four topics, each told by how it begins to ask: once in every four questions.
  const auto questions = draw_quiz(5, 11, 40);
  for (std::size_t round = 0; round < questions.size(); round += 4) {
    std::set<std::string> topics;
    for (std::size_t i = round; i < round + 4; ++i) topics.insert(questions[i].asks.substr(0, 9));
    CHECK(topics == std::set<std::string>{"How many ", "Which is ", "Into whic", "To how ma"});
  }
}

TEST_CASE("an example of an answer is not the answer") {
  for (const QuizQuestion& question : draw_quiz(2, 8, 400)) {
    const std::size_t at = question.expects.find("a whole number, such as ");
    if (at == 0) CHECK(number_behind(question.expects, "such as ") != question.answers[0][0]);
  }
}

TEST_CASE("every lesson has questions, and all of them are fit to be answered") {
  for (int lesson = 0; lesson <= 22; ++lesson) {
    const auto questions = draw_quiz(lesson, 1, 60);
    CAPTURE(lesson);
    REQUIRE(questions.size() == 60);
    std::set<std::string> different;
    for (const QuizQuestion& question : questions) {
      CAPTURE(question.about);
      CAPTURE(question.asks);
      different.insert(question.about + question.asks);
      CHECK(question.asks.back() != ' ');
      REQUIRE(!question.answers.empty());
      REQUIRE(question.parts.size() == question.limits.size());
      for (const auto& answer : question.answers) {
        REQUIRE(answer.size() == question.parts.size());
        for (std::size_t i = 0; i < answer.size(); ++i) {
          CHECK(answer[i] >= 0);
          CHECK(answer[i] < question.limits[i]);
        }
        CHECK(mark(question, read(question, words_of(answer))).right);
      }
      CHECK(question.reveal.size() > 20);
    }
    CHECK(different.size() > 20);
  }
  CHECK(draw_quiz(24, 1, 5).empty());
}

TEST_CASE("an answer about a fragment is the atlas's, and nobody gives it away") {
  for (const QuizQuestion& question : draw_quiz(1, 3, 40)) {
    REQUIRE(question.matrix.map != nullptr);
    const layout::Fragment& map = *question.matrix.map;
    const layout::Element e = question.matrix.element;
    CHECK(question.asks.find(question.matrix.name + "[" + std::to_string(e.row) + "][" +
                             std::to_string(e.col) + "]") != std::string::npos);
    for (const auto& answer : question.answers) {
      const int parts = map.values_per_register();
      const int value = answer[1] * parts + (parts > 1 ? answer[2] : 0);
      CHECK(map.element(answer[0], value) == e);
    }
    const int first_parts = map.values_per_register();
    const int first =
        question.answers[0][1] * first_parts + (first_parts > 1 ? question.answers[0][2] : 0);
    CHECK(question.reveal.find(" " + std::to_string(first) +
                               ": which of the lane's values it is, from 0") != std::string::npos);
    const std::string lane = "lane " + std::to_string(question.answers[0][0]);
    CHECK(question.about.find(lane) == std::string::npos);
    CHECK(question.asks.find(lane) == std::string::npos);
    CHECK(question.reveal.find(lane) != std::string::npos);
  }
}

TEST_CASE("lesson 3 asks about ldmatrix: whose address, and who gets what, as its maps say") {
  int addresses = 0, moved = 0;
  for (const QuizQuestion& question : draw_quiz(3, 5, 120)) {
    CAPTURE(question.about);
    CAPTURE(question.asks);
    const layout::Element e = question.matrix.element;
    const layout::Mover* mover =
        layout::find_mover(question.about.substr(0, question.about.find(".b16") + 4));
    REQUIRE(mover != nullptr);
    if (question.parts.size() == 3) {
      ++moved;
      const auto& answer = question.answers[0];
      CHECK(mover->registers.element(answer[0], answer[1] * 2 + answer[2]) ==
            layout::Element{e.row % 8, e.col, e.row / 8});
      continue;
    }
    ++addresses;
    const auto named = mover->addressed_row(question.answers[0][0]);
    REQUIRE(named.has_value());
    const bool columns = has(question.about, "column after column");
    CHECK(columns == (question.matrix.name == "B" && !has(question.about, ".trans")));
    // The fragment that arrives holds the element in the register of that block.
    const int row = columns ? e.col : e.row % 8, col = columns ? e.row % 8 : e.col % 8;
    CHECK(named->row == row);
    const auto holders = layout::holders(mover->registers, {row, col, named->matrix});
    const auto wanted = layout::holders(*question.matrix.map, e);
    REQUIRE(holders.size() == 1);
    CHECK(holders[0] == wanted[0]);
  }
  CHECK(addresses > 30);
  CHECK(moved > 30);
}

TEST_CASE("lesson 6 asks for a tile of C and the lane in it") {
  int tiles = 0;
  for (const QuizQuestion& question : draw_quiz(6, 8, 120)) {
    int row = 0, col = 0;
    if (std::sscanf(question.asks.c_str(), "Which tile has C[%d][%d]", &row, &col) != 2) continue;
    ++tiles;
    const auto& answer = question.answers[0];
    bool holds = false;
    const layout::Fragment& D =
        layout::find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")->D;
    for (int value = 0; value < 4; ++value) {
      const layout::Element e = D.element(answer[2], value);
      holds = holds || (answer[0] * 16 + e.row == row && answer[1] * 8 + e.col == col);
    }
    CHECK(holds);
  }
  CHECK(tiles == 40);
}

TEST_CASE("answers as people write them") {
  const QuizQuestion question = with_half();
  const std::vector<int> wanted{6, 1, 1};
  for (const char* words : {"6 r1 hi", "6 1 1", "lane 6 register 1 high", "Lane 6, a1, HI",
                            "  6\tr1  hi ", "6,1,1", "lane 6: r1.hi"})
    CHECK(read(question, words) == wanted);
  for (const char* words : {"6 X.r1.hi", "lane 6, X.r1, high half", "6 x.r1.hi"}) {
    std::string as_shown = words;
    as_shown.replace(as_shown.find_first_of("Xx"), 1, question.matrix.name);
    CHECK(read(question, as_shown) == wanted);
  }
  CHECK(read(question, "0 r0 lo") == std::vector<int>{0, 0, 0});
}

TEST_CASE("an answer may call each of its numbers what it is") {
  for (int lesson = 1; lesson <= kQuizLessons; ++lesson)
    for (const QuizQuestion& question : draw_quiz(lesson, 11, 30)) {
      std::string before, behind;  // "number of bytes 1024", "1024 bytes"
      for (std::size_t i = 0; i < question.parts.size(); ++i) {
        const std::string& part = question.parts[i];
        const std::string number = std::to_string(question.answers[0][i]);
        before += part + " " + number + ", ";
        behind += number + " " + part.substr(part.rfind(' ') + 1) + " ";
      }
      CHECK(read(question, before) == question.answers[0]);
      CHECK(read(question, behind) == question.answers[0]);
    }
}

TEST_CASE("what is no answer is refused with what an answer looks like") {
  const QuizQuestion question = with_half();
  CHECK(refused(question, "six r1 hi").find("'six' is no part of an answer") == 0);
  CHECK(refused(question, "6 r1") == "that is 2 numbers; it takes " + question.expects);
  CHECK(refused(question, "6 r1 hi hi").find("that is 4 numbers") == 0);
  CHECK(refused(question, "32 r0 lo") == "there is no lane 32; they go from 0 to 31");
  CHECK(refused(question, "6 r9 lo").find("there is no register 9") == 0);
  CHECK(refused(question, "-6 r1 hi").find("no part of an answer") != std::string::npos);
  CHECK(refused(question, "99999999999999999999 1 1").find("no part") != std::string::npos);
  CHECK(refused(question, "6 q.r1.hi").find("'q' is no part of an answer") == 0);
  CHECK(refused(question, "?!").find("no part") != std::string::npos);
  refused(question, std::string(100000, '7'));
  refused(question, std::string("6\0 1 1", 6));
}

TEST_CASE("a mark says what is right of a wrong answer") {
  QuizQuestion question = with_half();
  question.answers = {{6, 1, 1}};
  CHECK(mark(question, {6, 1, 1}).right);
  CHECK(mark(question, {6, 1, 0}).text ==
        "Not quite: the lane and the register are right, the half is not.");
  CHECK(mark(question, {6, 2, 0}).text ==
        "Not quite: the lane is right, the register and the half are not.");
  CHECK(mark(question, {5, 0, 0}).text == "Wrong.");
  question.answers = {{6, 1, 1}, {7, 1, 1}};  // two lanes hold it
  CHECK(mark(question, {7, 1, 1}).right);
}

TEST_CASE("what somebody typed is shown as far as an answer may go") {
  CHECK(typed("lane 6, A.r1, high half") == "lane 6, A.r1, high half");
  CHECK(typed(std::string(41, 'x')) == std::string(40, 'x') + " ...");
  CHECK(typed(std::string(39, 'x') + "\xc3\xa4\xc3\xa4") == std::string(39, 'x') + " ...");
  CHECK(refused(with_half(), std::string(150, 'x')).find(std::string(41, 'x')) ==
        std::string::npos);
}

TEST_CASE("a quiz counts, and an empty answer is no answer") {
  Quiz quiz = begin_quiz(1, 11, 3);
  CHECK(score(quiz) == "nothing answered yet");
  CHECK(give_answer(quiz, words_of(quiz.question().answers[0])).empty());
  CHECK(quiz.revealed);
  CHECK(score(quiz) == "1 of 1 right");
  CHECK(give_answer(quiz, "0 0 0").empty());  // once is enough
  CHECK(quiz.right == 1);
  next_question(quiz);
  CHECK(!quiz.revealed);
  CHECK(!give_answer(quiz, "nonsense").empty());
  CHECK(!quiz.revealed);
  CHECK(score(quiz) == "1 of 1 right");
  CHECK(give_answer(quiz, "  ").empty());
  CHECK(quiz.revealed);
  CHECK(!quiz.last.right);
  next_question(quiz);
  next_question(quiz);
  CHECK(quiz.over());
  CHECK(score(quiz) == "1 of 3 right");
  next_question(quiz);
  CHECK(give_answer(quiz, "1 1 1").empty());
}
