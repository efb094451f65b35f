// SPDX-License-Identifier: MIT
// Lesson 01 on the emulator: it finds the map it should, its trace says what its output says, and a
// map that is broken on purpose is noticed.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "numeric/format.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_01 {
namespace {

namespace fs = std::filesystem;

const std::string kLesson = "01_fragment_layout";

/// The elements of a recorded fragment, put where the atlas says they belong.
struct Matrix {
  int rows = 0, cols = 0;
  std::vector<double> values;
  double at(int row, int col) const {
    return values.at(static_cast<std::size_t>(row * cols + col));
  }
};
Matrix matrix_of(const trace::Fragment& fragment) {
  const layout::Instruction* instruction = layout::find(fragment.instruction);
  REQUIRE(instruction != nullptr);
  const layout::Fragment* map = instruction->operand(fragment.operand.at(0));
  REQUIRE(map != nullptr);
  REQUIRE(static_cast<int>(fragment.registers.size()) == map->registers());
  const numeric::Format* format = numeric::find_format(name(map->type));
  REQUIRE(format != nullptr);
  Matrix matrix{map->rows, map->cols, {}};
  matrix.values.resize(static_cast<std::size_t>(map->rows * map->cols));
  for (const layout::Held& held : layout::register_layout(*map)) {
    const std::uint64_t word =
        fragment.registers.at(static_cast<std::size_t>(held.holder.register_index))
            .at(static_cast<std::size_t>(held.holder.thread));
    matrix.values.at(static_cast<std::size_t>(held.element.row * map->cols + held.element.col)) =
        numeric::decode(*format, static_cast<std::uint32_t>(word >> held.holder.bit));
  }
  return matrix;
}

trace::Trace recorded(const std::string& arch) {
  const fs::path path = scratch() / ("lesson_01_" + arch + ".lanes");
  const Ran ran = run_lesson(kLesson, "--trace " + shell_word(path), arch);
  REQUIRE_MESSAGE(ran.status == 0, ran.output);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE_MESSAGE(result.ok(), result.error->message(path.string()));
  CHECK(result.unknown_events == 0);
  return result.trace;
}

std::vector<trace::Fragment> fragments(const trace::Trace& trace) {
  std::vector<trace::Fragment> found;
  for (const trace::Event& event : trace.events)
    if (const auto* fragment = std::get_if<trace::Fragment>(&event)) found.push_back(*fragment);
  return found;
}

const BrokenHost& broken() {
  static const BrokenHost lesson(
      kLesson, {{"const int group = lane >> 2",
                 "const int group = broken(\"formula\") && lane == 13 ? 4 : lane >> 2"},
                {"float sum = c[s];", "float sum = c[s] + (broken(\"sum\") && s == 77);"}});
  return lesson;
}
Ran run_broken_kernel(const std::string& name, const std::string& from, const std::string& to) {
  return lessons_test::run_broken_kernel(kLesson, name, from, to);
}

}  // namespace

TEST_CASE("lesson 01 finds the map of all three instructions") {
  for (const char* arch : {"sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    CHECK(count(ran, "32 of 32 lanes agree with the manual.") == 3);
    CHECK(count(ran, "128 of 128 elements") == 3);
    CHECK(says(ran, "2048 products seen: 16 rows x 8 columns x 16 k."));
    CHECK(says(ran, "4096 products seen: 16 rows x 8 columns x 32 k."));
    CHECK(says(ran, "What a GPU does, only a GPU can tell."));
    CHECK(!says(ran, "hardware has spoken"));
  }
}

TEST_CASE("lesson 01 leaves e4m3 out on a card that has none") {
  const Ran ran = run_lesson(kLesson, "", "sm_80");
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(count(ran, "32 of 32 lanes agree with the manual.") == 2);
  CHECK(says(ran, "e4m3 needs sm_89 or newer"));
}

TEST_CASE("lesson 01's trace says where it comes from and what was launched") {
  const trace::Trace trace = recorded("sm_90a");
  CHECK(trace.header.producer == "emulator");
  CHECK(trace.header.device == "Lanescope emulator");
  CHECK(trace.header.arch == "sm_90a");
  CHECK(trace.header.program == "01_fragment_layout");
  std::vector<std::string> kernels;
  for (const trace::Event& event : trace.events)
    if (const auto* launch = std::get_if<trace::Launch>(&event)) {
      CHECK(launch->launch == static_cast<int>(kernels.size()));
      kernels.push_back(launch->kernel);
    }
  CHECK(kernels ==
        std::vector<std::string>{"ask", "multiply", "ask", "multiply", "ask", "multiply"});
  REQUIRE(std::holds_alternative<trace::View>(trace.events.at(0)));
  CHECK(std::get<trace::View>(trace.events[0]).selection == "A 9,5");
}

TEST_CASE("lesson 01 records A, B, C and D, and D is their product") {
  const std::vector<trace::Fragment> all = fragments(recorded("sm_90a"));
  REQUIRE(all.size() == 12);
  for (std::size_t first = 0; first < all.size(); first += 4) {
    CAPTURE(all[first].instruction);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(all[first + i].operand == std::string(1, "ABCD"[i]));
      CHECK(all[first + i].name == all[first + i].operand);
      CHECK(all[first + i].source.file == "lesson.cu");
      CHECK(all[first + i].source.line > 0);
    }
    const Matrix a = matrix_of(all[first]), b = matrix_of(all[first + 1]);
    const Matrix c = matrix_of(all[first + 2]), d = matrix_of(all[first + 3]);
    for (int row = 0; row < d.rows; ++row)
      for (int col = 0; col < d.cols; ++col) {
        double sum = c.at(row, col);  // whole numbers below 2^24: exact
        for (int k = 0; k < a.cols; ++k) sum += a.at(row, k) * b.at(k, col);
        CHECK(d.at(row, col) == sum);
      }
  }
}

TEST_CASE("lesson 01's f16 elements say where they belong, by the atlas") {
  const std::vector<trace::Fragment> all = fragments(recorded("sm_90a"));
  const Matrix a = matrix_of(all.at(0)), b = matrix_of(all.at(1)), c = matrix_of(all.at(2));
  REQUIRE(a.rows == 16);
  REQUIRE(a.cols == 16);
  for (int row = 0; row < 16; ++row)
    for (int k = 0; k < 16; ++k) CHECK(a.at(row, k) == 100 * row + k);
  for (int k = 0; k < 16; ++k)
    for (int col = 0; col < 8; ++col) CHECK(b.at(k, col) == 10 * k + col);
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 8; ++col) CHECK(c.at(row, col) == 10 * row + col);
}

TEST_CASE("all elements of lesson 01's f16 and bf16 matrices are different") {
  const std::vector<trace::Fragment> all = fragments(recorded("sm_90a"));
  for (std::size_t i = 0; i < 8; ++i) {
    CAPTURE(i);
    std::map<double, int> seen;
    for (const double value : matrix_of(all.at(i)).values) CHECK(++seen[value] == 1);
  }
}

TEST_CASE("lesson 01 records the same on every run" * doctest::test_suite("twice")) {
  const auto trace = [](const char* name) {
    const fs::path path = scratch() / name;
    CHECK(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
    const std::string text = read(path);
    return text.substr(text.find('\n'));  // the first line has the command
  };
  CHECK(trace("once.lanes") == trace("twice.lanes"));
}

TEST_CASE("lesson 01 notices a map that is not the manual's" * doctest::test_suite("compiled")) {
  SUBCASE("registers a1 and a2 exchanged") {
    const Ran ran =
        run_broken_kernel("broken_a", "\"r\"(a[1]), \"r\"(a[2])", "\"r\"(a[2]), \"r\"(a[1])");
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, "0 of 32 lanes agree with the manual."));
    CHECK(says(ran, "^ does not agree"));
    CHECK(says(ran, "Something above does not agree"));
  }
  SUBCASE("registers d1 and d2 exchanged") {
    const Ran ran =
        run_broken_kernel("broken_d", "\"=f\"(d[1]), \"=f\"(d[2])", "\"=f\"(d[2]), \"=f\"(d[1])");
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, "0 of 32 lanes agree with the manual."));
  }
  SUBCASE("one formula wrong: only some lanes disagree") {
    const Ran ran = broken().run("formula");
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(count(ran, "31 of 32 lanes agree with the manual.") == 3);
  }
}

TEST_CASE("lesson 01 notices an instruction that does not multiply matrices" *
          doctest::test_suite("compiled")) {
  const Ran ran =
      run_broken_kernel("broken_twice", "\"r\"(a[1]), \"r\"(a[2])", "\"r\"(a[1]), \"r\"(a[1])");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "the answers do not add up to a matrix multiplication"));
}

TEST_CASE("lesson 01 notices a wrong product" * doctest::test_suite("compiled")) {
  const Ran ran = broken().run("sum");
  CAPTURE(ran.output);
  CHECK(ran.status == 1);
  CHECK(says(ran, "127 of 128 elements"));
}

}  // namespace lesson_01
