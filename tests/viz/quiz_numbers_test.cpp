// SPDX-License-Identifier: MIT
// The questions about numbers: what common/numeric rounds to, by its own way, is the answer; and
// the registers are those of __launch_bounds__, counted lane by lane.
#include "panels/quiz/quiz_numbers.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "layout/query.hpp"
#include "numeric/format.hpp"

using namespace lanescope;
using namespace lanescope::viz;

TEST_CASE("lesson 2 asks what is left of a number, and it is what numeric makes of it") {
  std::set<std::string> types;
  int ties = 0;
  for (const QuizQuestion& question : draw_quiz(2, 5, 300)) {
    int number = 0;
    if (std::sscanf(question.asks.c_str(), "Which number does %d become?", &number) != 1) continue;
    char name[16] = {};
    REQUIRE(std::sscanf(question.about.c_str(), "cvt.rn to %15[^,]", name) == 1);
    const numeric::Format* format = numeric::find_format(name);
    REQUIRE(format != nullptr);
    types.insert(name);
    const double left = numeric::decode(*format, numeric::encode(*format, number));
    CAPTURE(question.asks);
    CAPTURE(name);
    CHECK(question.answers == std::vector<std::vector<int>>{{static_cast<int>(left)}});
    CHECK(left != number);  // there is something to round
    CHECK(question.about.find(std::to_string(format->mantissa_bits)) != std::string::npos);
    ties += question.reveal.find("half-way") != std::string::npos;
  }
  CHECK(types.size() == 4);
  CHECK(ties > 5);
}

TEST_CASE("lesson 8 asks for how many registers there is room") {
  std::set<std::string> endings;
  for (const QuizQuestion& question : draw_quiz(8, 5, 300)) {
    int threads = 0, rows = 0, cols = 0;
    if (std::sscanf(question.about.c_str(),
                    "a kernel with __launch_bounds__(%d); a warp has %d x %d of D", &threads, &rows,
                    &cols) != 3)
      continue;
    REQUIRE(question.answers.size() == 1);
    const int registers = question.answers[0][0], sums = question.answers[0][1];
    CHECK(registers * threads <= 65536);
    CHECK((registers == 255 || (registers + 1) * threads > 65536));
    CHECK(sums * 32 == rows * cols);
    const bool spills = question.reveal.find("it spills") != std::string::npos;
    CHECK(spills == (sums >= registers));
    endings.insert(spills ? "spills" : "fits");
  }
  CHECK(endings.size() == 2);
}

TEST_CASE("lesson 6 asks how many blocks and steps a ragged size takes: counted out") {
  int ragged = 0;
  for (const QuizQuestion& question : draw_quiz(6, 4, 120)) {
    int M = 0, N = 0, K = 0;
    if (std::sscanf(question.about.c_str(), "C = A*B with M x N x K = %d x %d x %d", &M, &N, &K) !=
        3)
      continue;
    ++ragged;
    int blocks = 0, steps = 0;
    for (int row = 0; row < M; row += 16)
      for (int col = 0; col < N; col += 8) ++blocks;
    for (int k = 0; k < K; k += 16) ++steps;
    CHECK(question.answers[0] == std::vector<int>{blocks, steps});
  }
  CHECK(ragged == 40);
}

TEST_CASE("lesson 8's names are those that the atlas finds, with its shapes and elements") {
  std::set<std::string> names;
  for (const QuizQuestion& question : draw_quiz(8, 6, 300)) {
    char name[40] = {};
    if (std::sscanf(question.about.c_str(), "In a listing stands %39s", name) != 1) continue;
    names.insert(name);
    CAPTURE(std::string(name));
    const layout::Found found = layout::look_up(name);
    REQUIRE(!found.instructions.empty());
    for (const layout::Instruction* i : found.instructions)
      CHECK(question.answers[0] == std::vector<int>{i->M, i->N, i->K, i->A.values});
  }
  CHECK(names.size() == 12);
}

TEST_CASE("lesson 11 asks for K and the registers of D, as the atlas has them") {
  std::set<std::string> types;
  for (const QuizQuestion& question : draw_quiz(11, 6, 300)) {
    char type[8] = {}, sums[8] = {};
    int N = 0;
    if (std::sscanf(question.about.c_str(), "wgmma with A and B of %7[^,], sums in %7[^,], N = %d",
                    type, sums, &N) != 3)
      continue;
    CAPTURE(question.about);
    const std::vector<int>& answer = question.answers[0];
    const bool bits = std::string(type) == "b1";
    const std::string name = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(N) + "k" +
                             std::to_string(answer[0]) + "." + sums + "." + type + "." + type +
                             (bits ? ".and.popc" : "");
    const layout::Instruction* instruction = layout::find(name);
    REQUIRE_MESSAGE(instruction != nullptr, name);
    CHECK(instruction->D.registers() == answer[1]);
    types.insert(std::string(type) + sums);
  }
  CHECK(types.size() == 10);
}

TEST_CASE(
    "lessons 5, 6 and 19 ask how many sectors are gone to: byte by byte it comes to the same") {
  int loads = 0, copies = 0;
  std::set<int> shared;  // what cp.async.cg may take
  for (const int lesson : {5, 6, 19})
    for (const QuizQuestion& question : draw_quiz(lesson, 4, 200)) {
      if (question.asks.rfind("To how many sectors", 0) != 0) continue;
      CAPTURE(question.about);
      int bytes = 0, first = 0, apart = 0;
      const std::size_t from = question.about.find("from byte ");
      REQUIRE(from != std::string::npos);
      std::sscanf(question.about.c_str() + from, "from byte %d + %d", &first, &apart);
      const bool is_load =
          std::sscanf(question.about.c_str(), "each of 32 lanes loads %d", &bytes) == 1;
      if (!is_load) bytes = 16;
      std::set<int> sectors;
      int pairs = 0;  // of lanes 2i and 2i + 1 with two halves of one sector
      for (int lane = 0; lane < 32; ++lane) {
        const int at = first + lane * apart, next = at + apart;
        for (int byte = 0; byte < bytes; ++byte) sectors.insert((at + byte) / 32);
        pairs += lane % 2 == 0 && at != next && at / 32 == next / 32;
      }
      const int expected = is_load ? static_cast<int>(sectors.size()) : 32 - pairs;
      CHECK(question.answers == std::vector<std::vector<int>>{{expected}});
      if (!is_load) shared.insert(expected);
      ++(is_load ? loads : copies);
    }
  CHECK(loads > 60);
  CHECK(copies > 40);
  CHECK(shared == std::set<int>{16, 32});
}
