// SPDX-License-Identifier: MIT
// quiz as a user calls it.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/process.hpp"

using namespace lanescope;
using namespace lanescope::test;

namespace {

Outcome quiz(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "quiz");
  return run_lanescope(arguments);
}

/// What the quiz reveals of its first question: "lane 6, A.r1, high half".
std::string first_answer(const std::string& out) {
  const std::size_t lane = out.find(": lane ");
  REQUIRE(lane != std::string::npos);
  return out.substr(lane + 2, out.find('\n', lane) - lane - 2);
}

}  // namespace

TEST_CASE("quiz asks, marks and reveals, the same for the same seed") {
  const Outcome one = quiz({"1", "--seed", "42", "--questions", "2", "--answers", "0 0 0;"});
  CAPTURE(one.out);
  CHECK(one.code == 0);
  CHECK(one.err == "");
  CHECK(has(one.out, "2 questions about lesson 1, seed 42"));
  CHECK(has(one.out, "of 2 right, seed 42.\n"));
  CHECK(quiz({"1", "--seed", "42", "--questions", "2", "--answers", "0 0 0;"}).out == one.out);
  CHECK(quiz({"1", "--seed", "43", "--questions", "2", "--answers", "0 0 0;"}).out != one.out);
}

TEST_CASE("quiz takes the right answer for right") {
  const std::string shown = quiz({"3", "--seed", "5", "--questions", "1", "--answers", ""}).out;
  const std::string answer =
      first_answer(shown);  // "lane 6, A.r1, high half" or "lane 9 names ..."
  const std::string words = answer.substr(0, answer.find(" names"));
  const Outcome outcome = quiz({"3", "--seed", "5", "--questions", "1", "--answers", words});
  CAPTURE(shown);
  CAPTURE(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out, "Right."));
  CHECK(has(outcome.out, "1 of 1 right, seed 5."));
}

TEST_CASE("quiz marks nonsense as wrong, says why, and goes on") {
  const Outcome outcome =
      quiz({"1", "--seed", "1", "--questions", "3", "--answers", "banana; 99 0 0; \x1b[31m"});
  CAPTURE(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out, "'banana' is no part of an answer"));
  CHECK(has(outcome.out, "0 of 3 right"));
  CHECK(!has(outcome.out, "\x1b"));
}

TEST_CASE("quiz shows no answer before it has one") {
  const Outcome outcome = run_lanescope({"quiz", "1", "--seed", "9"});  // the keyboard is closed
  CAPTURE(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out, "1. mma.sync"));
  CHECK(!has(outcome.out, "groupID"));
  CHECK(has(outcome.out, "Nothing answered. The same questions again: --seed 9\n"));
}

TEST_CASE("a quiz ends at q, quit or exit, however they are written") {
  const Folder folder;
  for (const char* word : {"q", "Q ", " quit", "Exit\r"}) {
    Setting setting;
    setting.input_path = folder.put("answers", "0 0 0\n" + std::string(word) + "\n1 1 1\n");
    const Outcome outcome = run_lanescope({"quiz", "1", "--seed", "42"}, setting);
    CAPTURE(outcome.out);
    CHECK(outcome.code == 0);
    CHECK(!has(outcome.out, "is no part of an answer"));
    CHECK(has(outcome.out, "\n0 of 1 right, seed 42.\n"));
  }
}

TEST_CASE("a quiz repeats of a long answer no more than shows which one it was") {
  const std::string novel(300, 'x');
  const Folder folder;
  Setting setting;
  setting.input_path = folder.put("answers", novel + "\nq\n");
  for (const Outcome& outcome : {run_lanescope({"quiz", "1", "--seed", "42"}, setting),
                                 quiz({"1", "--seed", "42", "--answers", novel})}) {
    CAPTURE(outcome.out);
    CHECK(outcome.code == 0);
    CHECK(has(outcome.out, "   > xxxxx"));
    CHECK(has(outcome.out, "x ...' is no part of an answer"));
    CHECK(!has(outcome.out, novel.substr(0, 41)));
  }
}

TEST_CASE("answers from a file stand where somebody would have typed them") {
  const Folder folder;
  Setting setting;
  setting.input_path = folder.put("answers", "banana\n\x1b[31m 0 0\n0 0 0\nq\n");
  const Outcome outcome = run_lanescope({"quiz", "1", "--seed", "42"}, setting);
  CAPTURE(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(has(outcome.out, "   > banana\n   'banana' is no part of an answer"));
  CHECK(has(outcome.out, "   > 0 0 0\n   "));
  CHECK(has(outcome.out, "   > q\n0 of 1 right, seed 42.\n"));
  CHECK(!has(outcome.out, "\x1b"));
}

TEST_CASE("quiz refuses what it cannot ask in one line") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"24"},
        {"zero"},
        {"1", "--seed", "-1"},
        {"1", "--seed", "x"},
        {"1", "--questions", "0"},
        {"1", "--questions", "1", "--answers", "0 0 0; 1 1 1"}}) {
    const Outcome outcome = quiz(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.err.rfind("lanescope: ", 0) == 0);
    CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
  }
}
