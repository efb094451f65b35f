// SPDX-License-Identifier: MIT
// What the window says of the scale factors of a block-scaled product that are in the trace. Whose
// byte scales what is written by hand from the ISA's figures (9.7.14.3, figures 43 to 45).
#include "panels/matrix/scaled.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "panels/matrix/facts.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "tests/viz/recorded.hpp"
#include "tests/viz/synthetic.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kMxf4 =
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
    "ue8m0";

trace::Fragment scales(const char* operand, const char* name, std::uint32_t others, int lane,
                       std::uint32_t word) {
  trace::Fragment f;
  f.name = name;
  f.instruction = kMxf4;
  f.operand = operand;
  f.register_bits = 32;
  f.registers.assign(1, std::vector<std::uint64_t>(32, others));
  f.registers[0][static_cast<std::size_t>(lane)] = word;
  return f;
}

// With thread-id 1 lane 4 * 1 + 2 + 1 is read for row 9, from byte 2 on; with thread-id 3 lane
// 4 * 5 + 3 for column 5.
Model scaled_model() {
  trace::Trace trace;
  synthetic::add(trace, *layout::find(kMxf4), "ABD");
  trace.events.emplace_back(scales("SFA", "SFA thread-id 1 byte-id 2", 0x7f7f7f7f, 7, 0x7c820000));
  trace.events.emplace_back(scales("SFB", "SFB thread-id 3", 0x7f7f7f7f, 23, 0x0000ff00));
  return make_model(std::move(trace));
}

bool is_listed(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

Facts told_of(const Model& made, const char* words) {
  const Multiplication& in = made.multiplications.at(0);
  const Parsed parsed = parse_selection(words, in);
  REQUIRE(parsed.error == "");
  return facts(made, in, parsed.selection, {});
}

}  // namespace

TEST_CASE("a lane's scale registers say which row or column and which k each byte scales") {
  const Model made = scaled_model();
  CHECK(made.remarks.empty());
  REQUIRE(made.multiplications.size() == 1);
  const Multiplication& in = made.multiplications[0];
  using Lines = std::vector<std::string>;
  CHECK(scale_lines(in, 'S', 7) ==
        Lines{"byte 2: row 9, k 0 to 31: 2^3", "byte 3: row 9, k 32 to 63: 2^-3"});
  CHECK(scale_lines(in, 'S', 6) ==
        Lines{"byte 2: row 1, k 0 to 31: 1", "byte 3: row 1, k 32 to 63: 1"});
  CHECK(scale_lines(in, 'S', 5) == Lines{"not read by thread-id 1"});
  CHECK(scale_lines(in, 'T', 23) ==
        Lines{"byte 0: column 5, k 0 to 31: 2^-127", "byte 1: column 5, k 32 to 63: nan"});
  CHECK(scale_lines(in, 'T', 20) == Lines{"not read by thread-id 3"});
  const std::vector<RegisterFacts> all = lane_registers(in, 7);
  REQUIRE(all.size() >= 2);
  CHECK(all[all.size() - 2].name == "SFA.r0");
  CHECK(all[all.size() - 2].bits == "0x7c820000");
  CHECK(all.back().name == "SFB.r0");
  CHECK(scale_search(in, 'S', 7) == "SFA thread-id 1 byte-id 2 lane 7");
}

TEST_CASE("an element names its scale and who hands it in") {
  const Model made = scaled_model();
  CHECK(told_of(made, "A 9,37").scale == "SFA[9][1] = 2^-3, lane 7 SFA.r0, byte 3");
  CHECK(told_of(made, "A 9,31").scale == "SFA[9][0] = 2^3, lane 7 SFA.r0, byte 2");
  CHECK(told_of(made, "B 40,5").scale == "SFB[1][5] = nan, lane 23 SFB.r0, byte 1");
  CHECK(told_of(made, "B 40,5").scale_search == "SFB thread-id 3 byte-id 0 1,5");
  CHECK(to_text(told_of(made, "A 9,37")).find("A is 16 x 64\n  its scale: SFA[9][1] = 2^-3") !=
        std::string::npos);
  const Facts d = told_of(made, "D 9,5");
  CHECK(d.scale.empty());
  for (const char* line : {"k 0 to 31:", "SFA[9][0] = 2^3, lane 7 SFA.r0, byte 2",
                           "k 32 to 63:", "SFB[1][5] = nan, lane 23 SFB.r0, byte 1"})
    CHECK(is_listed(d.makes, line));
}

TEST_CASE("scales with selectors that the instruction does not have are a remark") {
  trace::Trace trace;
  synthetic::add(trace, *layout::find(kMxf4), "AB");
  trace.events.emplace_back(scales("SFA", "SFA thread-id 1 byte-id 1", 0, 0, 0));
  const Model made = make_model(std::move(trace));
  REQUIRE(made.remarks.size() == 1);
  CHECK(made.remarks[0].find("SFA has thread-ids 0 to 1") != std::string::npos);
  REQUIRE(made.multiplications.size() == 1);
  CHECK(made.multiplications[0].scales[0] == nullptr);
}

TEST_CASE("steps alone: the scales of an mma and their selectors, in numbers or registers") {
  const std::string ptx = std::string(kMxf4) +
                          " {%f0, %f1, %f2, %f3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%f0, %f1, "
                          "%f2, %f3}, %s0, {2, 1}, {%s1}, {%h0, %h1};";
  CHECK(matrix_registers(ptx, 'S') == std::vector<std::string_view>{"%s0"});
  CHECK(matrix_registers(ptx, 'T') == std::vector<std::string_view>{"%s1"});
  CHECK(matrix_register(ptx, "%s1", false) == "SFB.r0");
  CHECK(scale_selectors(ptx, 'S') == std::array<std::string_view, 2>{"1", "2"});
  CHECK(scale_selectors(ptx, 'T') == std::array<std::string_view, 2>{"%h1", "%h0"});
  trace::Trace trace;
  trace.header.producer = "emulator";
  std::int64_t number = 0;
  const auto add = [&](const std::string& text, std::vector<trace::Write> writes) {
    trace.events.emplace_back(recorded::step(0, number++, text, 7, std::move(writes)));
  };
  for (const char* name : {"%a0", "%a1", "%a2", "%a3", "%b0", "%b1", "%f0", "%f1", "%f2", "%f3"})
    add("mov.b32 " + std::string(name) + ", 1;", {recorded::write(name)});
  add("mov.b32 %s0, 1;", {recorded::wide("%s0", 0x7c820000, 32)});
  add("mov.b32 %s1, 1;", {recorded::wide("%s1", 0x807f, 32)});
  add("mov.b16 %h0, 0;", {recorded::wide("%h0", 0, 16)});
  add("mov.b16 %h1, 3;", {recorded::wide("%h1", 3, 16)});
  for (trace::Event& event : trace.events) std::get<trace::Step>(event).active = 0xffffffffu;
  trace::Step mma = recorded::step(0, number, ptx, 8, {recorded::write("%f0")});
  mma.active = 0xffffffffu;
  trace.events.emplace_back(mma);
  const Model made = make_model(std::move(trace));
  CHECK(made.remarks.empty());
  REQUIRE(made.multiplications.size() == 1);
  const Multiplication& in = made.multiplications[0];
  REQUIRE(in.scales[0] != nullptr);
  REQUIRE(in.scales[1] != nullptr);
  CHECK(in.scales[0]->name == "SFA thread-id 1 byte-id 2");
  CHECK(in.scales[1]->name == "SFB thread-id 3 byte-id 0");
  CHECK(scale_lines(in, 'T', 7) == std::vector<std::string>{"byte 0: column 1, k 0 to 31: 1",
                                                            "byte 1: column 1, k 32 to 63: 2^1"});
}

}  // namespace lanescope::viz
