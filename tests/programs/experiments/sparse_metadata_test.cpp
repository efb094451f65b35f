// SPDX-License-Identifier: MIT
// Whose metadata mma.sp reads: an H200's answers against the atlas
// (docs/experiments/sparse_metadata.md).
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "tests/lines_of.hpp"
#include "tests/programs/experiments/answers.hpp"

using namespace lanescope;
using tests::answer;
using tests::lines_of;

namespace {

struct Probed {
  const char* name;  // in the recording
  const char* mnemonic;
  int k_of_kept;  // columns of K that one kept element (4-bit types: pair) stands for
};
constexpr Probed kProbed[] = {
    {"m16n8k16.f16", "m16n8k16.row.col.f32.f16.f16.f32", 2},
    {"m16n8k32.f16", "m16n8k32.row.col.f32.f16.f16.f32", 2},
    {"m16n8k8.tf32", "m16n8k8.row.col.f32.tf32.tf32.f32", 2},
    {"m16n8k16.tf32", "m16n8k16.row.col.f32.tf32.tf32.f32", 2},
    {"m16n8k32.s8", "m16n8k32.row.col.s32.s8.s8.s32", 2},
    {"m16n8k64.s8", "m16n8k64.row.col.s32.s8.s8.s32", 2},
    {"m16n8k64.s4", "m16n8k64.row.col.s32.s4.s4.s32", 4},
    {"m16n8k128.s4", "m16n8k128.row.col.s32.s4.s4.s32", 4},
};

/// The lines that the atlas's map of the metadata predicts.
std::set<std::string> predicted(const Probed& probed) {
  const layout::Instruction* instruction =
      layout::find(std::string("mma.sp::ordered_metadata.sync.aligned.") + probed.mnemonic);
  REQUIRE_MESSAGE(instruction != nullptr, probed.mnemonic);
  std::set<std::string> lines;
  for (std::size_t selector = 0; selector < instruction->E.size(); ++selector) {
    const layout::Fragment& e = instruction->E[selector];
    const int per_nibble = 4 / e.element_bits;  // indices: two, or one of tf32
    for (int lane = 0; lane < 32; ++lane)
      for (int nibble = 0; nibble < 8 && e.provided_by(lane); ++nibble) {
        const layout::Element first = e.element(lane, nibble * per_nibble);
        // Both indices move from the lower half of their columns of K to the upper half.
        const int k = first.col * probed.k_of_kept;
        const int moved = per_nibble * probed.k_of_kept / 2;
        std::string lost, gained;
        for (int i = 0; i < moved; ++i) {
          lost += " " + std::to_string(k + i);
          gained += " " + std::to_string(k + moved + i);
        }
        lines.insert(std::string(probed.name) + " selector " + std::to_string(selector) + " lane " +
                     std::to_string(lane) + " nibble " + std::to_string(nibble) + " row " +
                     std::to_string(first.row) + " lost" + lost + " gained" + gained);
      }
  }
  return lines;
}

}  // namespace

TEST_CASE("the card takes mma.sp's metadata from where the atlas has it, and from nowhere else") {
  const std::vector<std::string> recorded = lines_of(answer("sparse_metadata"));
  for (const Probed& probed : kProbed) {
    CAPTURE(probed.name);
    const std::set<std::string> expected = predicted(probed);
    std::set<std::string> found;
    for (const std::string& line : recorded)
      if (line.rfind(std::string(probed.name) + " ", 0) == 0 &&
          line.find(" before:") == std::string::npos)
        found.insert(line);
    CHECK(found.size() >= 128);
    for (const std::string& line : found)
      CHECK_MESSAGE(expected.count(line) == 1, "card: " << line);
    for (const std::string& line : expected)
      CHECK_MESSAGE(found.count(line) == 1, "atlas: " << line);
  }
}
