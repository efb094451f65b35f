// SPDX-License-Identifier: MIT
// Lesson 23 on the emulator: its layouts are those that the atlas makes of the instruction and of
// CuTe's TiledMMA, its loads and passes those of the banks' rule and of the steps that the emulator
// records; the fragment is one, wherever A lies; wrong layouts are noticed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "layout/banks.hpp"
#include "layout/cute_layout.hpp"
#include "layout/instruction.hpp"
#include "layout/thread_value.hpp"
#include "layout/tiled_mma.hpp"
#include "tests/build_folder.hpp"
#include "tests/lessons/planted.hpp"
#include "trace/reader.hpp"

using namespace lanescope;
using namespace lanescope::lessons_test;

namespace lesson_23 {
namespace {

const std::string kLesson = "23_shape_stride";
const char* const kMma = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

struct Place {
  const char *name, *memory, *strides;
  int swizzle_bits = 0;
};
constexpr Place kPlaces[] = {
    {"rows", "(16,16):(16,1)", "((2,16),(1,128,8))"},
    {"columns", "(16,16):(1,16)", "((32,1),(16,8,128))"},
    {"rows, padded", "(16,16):(24,1)", "((2,24),(1,192,8))"},
    {"8 x 8 blocks", "((8,2),(8,2)):((8,64),(1,128))", "((2,8),(1,64,128))"},
    {"rows, swizzled", "(16,16):(16,1)", "((2,16),(1,128,8))", 1}};

layout::CuteLayout of_instruction(char operand) {
  return layout::named_layouts(*layout::find(kMma), operand).front().layout;
}

/// The bytes of a lane's values of an operand, in memory as `lies` says.
std::vector<std::vector<std::uint32_t>> bytes_of(char operand, const layout::CuteLayout& lies,
                                                 int swizzle_bits) {
  const layout::CuteLayout map = of_instruction(operand);
  const layout::CuteSwizzle swizzle{swizzle_bits, 3, 3};
  std::vector<std::vector<std::uint32_t>> bytes;
  for (int value = 0; value < static_cast<int>(layout::size(layout::mode(map, 1))); ++value) {
    bytes.emplace_back();
    for (int lane = 0; lane < 32; ++lane)
      bytes.back().push_back(static_cast<std::uint32_t>(
          2 * swizzle(layout::linear_index(lies, layout::linear_index(map, lane + 32 * value)))));
  }
  return bytes;
}

struct Cost {
  int loads = 0, passes = 0;
};
Cost cost_of(char operand, const char* memory, int swizzle_bits) {
  const layout::CuteReading lies = layout::read_cute_layout(memory);
  REQUIRE(lies.problem.empty());
  const auto bytes = bytes_of(operand, lies.layout, swizzle_bits);
  Cost cost;
  for (std::size_t value = 0; value < bytes.size(); value += 2) {
    bool together = true;
    for (std::size_t lane = 0; lane < 32; ++lane)
      together = together && bytes[value + 1][lane] == bytes[value][lane] + 2;
    cost.loads += together ? 1 : 2;
    cost.passes += layout::passes(bytes[value], together ? 4 : 2);
    if (!together) cost.passes += layout::passes(bytes[value + 1], 2);
  }
  return cost;
}

}  // namespace

TEST_CASE("lesson 23 takes a value of A, B and D apart as the atlas has it") {
  for (const char* arch : {"sm_80", "sm_89", "sm_90a"}) {
    const Ran ran = run_lesson(kLesson, "", arch);
    CAPTURE(ran.output);
    CHECK(ran.status == 0);
    const auto line = [](char operand) {
      return fmt::format("\n   {}  {}\n      lane 6 is 2 1, value 3 is 1 1", operand,
                         layout::text(of_instruction(operand)));
    };
    for (const char operand : {'A', 'B', 'D'}) CHECK(says(ran, line(operand)));
    const auto* mma = layout::find(kMma);
    const auto element = [](const layout::Fragment& of) {
      return fmt::format("[{}][{}]\n", of.element(6, 3).row, of.element(6, 3).col);
    };
    CHECK(says(ran, "= 89, so A" + element(mma->A)));
    CHECK(says(ran, "= 105, so B" + element(mma->B)));
    CHECK(says(ran, "= 89, so D" + element(mma->D)));
    CHECK(says(ran, "One kernel, nine matrices: only the layouts were others."));
  }
}

TEST_CASE("lesson 23 counts loads and passes of A by the banks' rule, wherever it lies") {
  const Ran ran = run_lesson(kLesson);
  CAPTURE(ran.output);
  for (const Place& place : kPlaces) {
    const Cost cost = cost_of('A', place.memory, place.swizzle_bits);
    const std::string memory =
        (place.swizzle_bits > 0 ? "Sw<1,3,3> o " : "") + std::string(place.memory);
    CHECK(says(ran, fmt::format("\n   {:<15} {:<34} {:<19} {:5} {:7} {:8}\n", place.name, memory,
                                place.strides, cost.loads, cost.passes, 128)));
  }
  CHECK(count(ran, "4096 of 4096") == 4);
}

TEST_CASE("lesson 23's layouts of four warps are those of CuTe's TiledMMA") {
  const layout::TiledMma tiled = layout::tiled_mma(
      "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, Layout<Shape<_4,_1>>, Tile<_64,_64,_64>)");
  REQUIRE_MESSAGE(tiled.problem.empty(), tiled.problem);
  const std::string output = run_lesson(kLesson).output;
  const std::size_t part = output.find("\n3. ");
  REQUIRE(part != std::string::npos);
  for (const char operand : {'A', 'B', 'D'}) {
    CAPTURE(operand);
    const std::string begins = fmt::format("\n   {}  ((", operand);
    const std::size_t begin = output.find(begins, part);
    REQUIRE(begin != std::string::npos);
    const std::size_t at = begin + begins.size() - 2;
    const layout::CuteReading said =
        layout::read_cute_layout(output.substr(at, output.find('\n', at) - at));
    REQUIRE_MESSAGE(said.problem.empty(), said.problem);
    const layout::CuteLayout cute =
        layout::named_layouts(*tiled.instruction, operand).front().layout;
    REQUIRE(layout::size(said.layout) == layout::size(cute));
    int different = 0;
    for (int at = 0; at < static_cast<int>(layout::size(cute)); ++at)
      different += layout::linear_index(said.layout, at) != layout::linear_index(cute, at);
    CHECK(different == 0);
  }
}

TEST_CASE("the checker has nothing to report of lesson 23") {
  const Ran ran = run_checked(kLesson);
  CAPTURE(ran.output);
  CHECK(ran.status == 0);
  CHECK(says(ran, "9 launches checked, nothing to report"));
}

TEST_CASE("lesson 23 records one fragment of A, wherever it lies") {
  const auto path = scratch() / "lesson_23.lanes";
  REQUIRE(run_lesson(kLesson, "--trace " + shell_word(path)).status == 0);
  const trace::ReadResult result = trace::read_file(path.string());
  REQUIRE(result.ok());
  std::vector<const trace::Fragment*> of_a;
  std::vector<const trace::Memory*> tiles;
  for (const trace::Event& event : result.trace.events) {
    const auto* fragment = std::get_if<trace::Fragment>(&event);
    if (fragment != nullptr && fragment->operand == "A") of_a.push_back(fragment);
    const auto* memory = std::get_if<trace::Memory>(&event);
    if (memory != nullptr && memory->name == "tile") tiles.push_back(memory);
  }
  CHECK(of_a.size() == 5 + 4);  // one warp, then four of them
  CHECK(tiles.size() == 5 + 1);
  for (std::size_t i = 1; i < 5; ++i) {
    CHECK(of_a[i]->registers == of_a[0]->registers);
    const bool same_bytes = tiles[i]->bytes == tiles[0]->bytes;
    CHECK(same_bytes == (i == 2));  // padding is not among the rows' bytes
  }
}

TEST_CASE("the emulator loads as often as lesson 23 says, in as many passes") {
  const Cost of_b = cost_of('B', "(8,16):(16,1)", 0);
  for (int launch = 0; launch < 5; ++launch) {
    const auto path = scratch() / fmt::format("lesson_23_steps_{}.lanes", launch);
    const auto build = tests::build_folder();
    const Ran ran = run(shell_word(build / "bin" / "lanescope") + " run --trace " +
                        shell_word(path) + " --steps launch=" + std::to_string(launch) + " -- " +
                        shell_word(build / "lessons" / kLesson / kLesson));
    REQUIRE_MESSAGE(ran.status == 0, ran.output);
    const trace::ReadResult result = trace::read_file(path.string());
    REQUIRE(result.ok());
    Cost cost;
    for (const trace::Event& event : result.trace.events) {
      const auto* access = std::get_if<trace::Access>(&event);
      if (access == nullptr || access->instruction.rfind("ld.shared", 0) != 0) continue;
      REQUIRE(access->addresses.size() == 32);
      const int bytes = access->instruction.find("16") != std::string::npos ? 2 : 4;
      ++cost.loads;
      cost.passes += layout::passes(access->addresses, bytes);
    }
    const Place& place = kPlaces[launch];
    CAPTURE(place.name);
    const Cost of_a = cost_of('A', place.memory, place.swizzle_bits);
    CHECK(cost.loads == of_a.loads + of_b.loads);
    CHECK(cost.passes == of_a.passes + of_b.passes);
  }
}

TEST_CASE("lesson 23 notices layouts that are not the instruction's" *
          doctest::test_suite("compiled")) {
  const BrokenHost lesson(
      kLesson,
      {{"{32, 1, 16, 8, 128}};", "{32, 1, 16, broken(\"a\") ? 128 : 8, broken(\"a\") ? 8 : 128}};"},
       {"{16, 1, 8, 64}};", "{16, 1, broken(\"b\") ? 64 : 8, broken(\"b\") ? 8 : 64}};"},
       {"{128, 1, 0, 64,", "{128, 1, broken(\"warps\") ? 16 : 0, 64,"}});
  const Ran right = lesson.run("none");
  CAPTURE(right.output);
  CHECK(right.status == 0);
  for (const char* name : {"a", "b"}) {
    const Ran ran = lesson.run(name);
    CAPTURE(ran.output);
    CHECK(ran.status == 1);
    CHECK(says(ran, "Not every product is right"));
    CHECK(count(ran, "4096 of 4096") == 4);
  }
  const Ran warps = lesson.run("warps");
  CAPTURE(warps.output);
  CHECK(warps.status == 1);
  CHECK(count(warps, "4096 of 4096") == 0);
}

}  // namespace lesson_23
