// SPDX-License-Identifier: MIT
// What the window says of a sparse A whose metadata are in the trace. Words of metadata are written
// by hand from the ISA's figures (9.7.14.6.1 and .2): who is read, which bits are about whom.
#include "panels/matrix/kept.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "panels/matrix/facts.hpp"
#include "tests/viz/synthetic.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kF16Sp =
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";

/// A, B, D and metadata: `others` in every lane but one.
Model with_metadata(const char* mnemonic, const char* name, std::uint32_t others, int lane,
                    std::uint32_t word) {
  const layout::Instruction* sparse = layout::find(mnemonic);
  REQUIRE(sparse != nullptr);
  trace::Trace trace;
  synthetic::add(trace, *sparse, "ABD");
  trace::Fragment e;
  e.name = name;
  e.instruction = mnemonic;
  e.operand = "E";
  e.register_bits = 32;
  e.registers.assign(1, std::vector<std::uint64_t>(32, others));
  e.registers[0][static_cast<std::size_t>(lane)] = word;
  trace.events.emplace_back(e);
  return make_model(std::move(trace));
}

bool listed(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

Facts told(const Model& model, const char* words, const Hover& hover = {}) {
  const Multiplication& in = model.multiplications.at(0);
  const Parsed parsed = parse_selection(words, in);
  REQUIRE(parsed.error == "");
  return facts(model, in, parsed.selection, hover);
}

// Selector 1 has lane 7 read: nibble 5 is of row 9, four 5. 0xe keeps 2 and 3, the others 0 and 1.
const Model& sparse_model() {
  static const Model made = with_metadata(kF16Sp, "E selector 1", 0x44444444, 7, 0x44e44444);
  return made;
}

TEST_CASE("the metadata say which column a stored element stands for") {
  const Model& made = sparse_model();
  CHECK(made.remarks.empty());
  REQUIRE(made.multiplications.size() == 1);
  const Multiplication& in = made.multiplications[0];
  CHECK(in.selector == 1);
  for (int row = 0; row < 16; ++row)
    for (int col = 0; col < 16; ++col)
      CHECK(in.k_of(row, col) == col / 2 * 4 + col % 2 + (row == 9 && col / 2 == 5 ? 2 : 0));
  const layout::Holder index = index_holder(in, 9, 11);
  CHECK(index.thread == 7);
  CHECK(index.bit == 22);
  CHECK(stands_for(in, 9, 11) == "A[9][11] stands for A[9][23]");
}

TEST_CASE("tf32 keeps one of two, 4-bit types two pairs of four") {
  // Selector 1: lane 1, row 0 in the low half, an index of four bits each: 1110 is the second.
  const Model tf32 =
      with_metadata("mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
                    "E selector 1", 0x44444444, 1, 0x444444e4);
  CHECK(tf32.multiplications.at(0).k_of(0, 0) == 0);
  CHECK(tf32.multiplications.at(0).k_of(0, 1) == 3);
  CHECK(tf32.multiplications.at(0).k_of(8, 1) == 2);
  // Selector 0: lane 1 has row 8, all of K; its second chunk of eight columns keeps the last four.
  const Model s4 =
      with_metadata("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", "E",
                    0x44444444, 1, 0x444444e4);
  const int expected[] = {0, 1, 2, 3, 12, 13, 14, 15, 16};
  for (int col = 0; col < 9; ++col) CHECK(s4.multiplications.at(0).k_of(8, col) == expected[col]);
  CHECK(s4.multiplications.at(0).k_of(0, 4) == 8);
}

TEST_CASE("what a stored element makes, and who says so") {
  const Facts a = told(sparse_model(), "A 9,11");
  CHECK(listed(a.makes, "stands for A[9][23] of all 32 columns"));
  CHECK(listed(a.makes, "as E.r0 of lane 7 says in bits 22..23"));
  CHECK(listed(a.makes, "D[9][n] += A[9][11] * B[23][n]"));
  CHECK(
      listed(told(sparse_model(), "A 9,11", {'D', 9, 3}).makes, "D[9][3] += A[9][11] * B[23][3]"));
  CHECK(listed(told(sparse_model(), "B 23,3").makes, "meets the rows of A that keep column 23: 9"));
  CHECK(listed(told(sparse_model(), "B 2,3").makes, "no row of A keeps column 2"));
  CHECK(
      listed(told(sparse_model(), "B 23,3", {'A', 9, 11}).makes, "D[9][3] += A[9][11] * B[23][3]"));
  CHECK(
      listed(told(sparse_model(), "D 9,3").makes,
             "summed over the k that row 9 keeps: 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 22 to 25, 28, "
             "29"));
}

TEST_CASE("a stored element lights the row of B that it meets, and no other") {
  const Multiplication& in = sparse_model().multiplications[0];
  const Selection a = select_element(in, 'A', 9, 11);
  CHECK(on_line(in, a, {}, 'B', 23, 0));
  CHECK_FALSE(on_line(in, a, {}, 'B', 11, 0));
  const Selection b = select_element(in, 'B', 23, 0);
  CHECK(on_line(in, b, {}, 'A', 9, 11));
  CHECK_FALSE(on_line(in, b, {}, 'A', 8, 11));
}

TEST_CASE("a lane's metadata are among its registers, and whether anybody reads them") {
  const auto last = [](int thread) {
    return lane_registers(sparse_model().multiplications[0], thread).back();
  };
  CHECK(last(7).name == "E.r0");
  CHECK(last(7).bits == "0x44e44444");
  CHECK(last(7).notes == std::vector<std::string>{"row 1: 01 01 01 01", "row 9: 01 23 01 01"});
  CHECK(last(4).notes == std::vector<std::string>{"not read by selector 1"});
  CHECK(to_text(told(sparse_model(), "lane 7")).find("\n    row 9: 01 23 01 01\n") !=
        std::string::npos);
}

TEST_CASE("metadata that fit nothing become a remark") {
  const Model far = with_metadata(kF16Sp, "E selector 2", 0, 0, 0);
  REQUIRE(far.remarks.size() == 1);
  CHECK(far.remarks[0] ==
        "fragment 'E selector 2' is not shown: its instruction has no selector 2");
  CHECK(far.multiplications.at(0).metadata == nullptr);
  CHECK_FALSE(far.multiplications.at(0).k_of(0, 0).has_value());
  const Model dense = with_metadata(synthetic::kF16.data(), "E", 0, 0, 0);
  REQUIRE(dense.remarks.size() == 1);
  CHECK(dense.remarks[0] == "fragment 'E' is not shown: 'E' is not an operand of it");
}

}  // namespace
}  // namespace lanescope::viz
