// SPDX-License-Identifier: MIT
// One hop back: of mov, shifts, ld, ldmatrix, st and stmatrix, where bits were before.
#include "panels/way/moves.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/viz/recorded.hpp"

namespace lanescope::viz {
namespace {

// "%rs2 of lane 7, from bit 3 on"; "": no register.
std::string text(const std::optional<Spot>& spot) {
  if (!spot) return {};
  return std::string(spot->name) + " of lane " + std::to_string(spot->lane) + ", from bit " +
         std::to_string(spot->bit) + " on";
}

std::string moved(const std::string& ptx, const trace::Write& write, int bit) {
  return text(before_move(recorded::step(0, 1, ptx, 1), write, {write.name, 7, bit}));
}

// Every lane's address is 0x100 times its number.
trace::Access access_of(std::uint32_t active) {
  trace::Access access;
  access.active = active;
  for (std::uint32_t lane = 0; lane < 32; ++lane) access.addresses.push_back(0x100 * lane);
  return access;
}

std::string stored(const std::string& ptx, int lane, int offset) {
  const trace::Step step = recorded::step(0, 1, ptx, 1);
  const trace::Access access = access_of(~0u);
  return text(before_store(
      {&step, &access}, lane,
      0x100 * static_cast<std::uint64_t>(lane) + static_cast<std::uint64_t>(offset), 0));
}

}  // namespace

TEST_CASE("a mov of one register, of several into one, of one into several") {
  CHECK(moved("mov.u32 %r2, %r1;", recorded::write("%r2"), 19) == "%r1 of lane 7, from bit 19 on");
  const std::string pack = "mov.b32 %r5, {%rs1, %rs2};";
  CHECK(moved(pack, recorded::write("%r5"), 3) == "%rs1 of lane 7, from bit 3 on");
  CHECK(moved(pack, recorded::write("%r5"), 19) == "%rs2 of lane 7, from bit 3 on");
  const std::string unpack = "mov.b32 {%rs1, %rs2}, %r5;";
  CHECK(moved(unpack, recorded::wide("%rs1", 0, 16), 3) == "%r5 of lane 7, from bit 3 on");
  CHECK(moved(unpack, recorded::wide("%rs2", 0, 16), 3) == "%r5 of lane 7, from bit 19 on");
  const std::string own = "mov.b32 {low,high},%r5;";  // of inline assembly
  CHECK(moved(own, recorded::wide("high", 0, 16), 3) == "%r5 of lane 7, from bit 19 on");
  CHECK(moved("mov.u32 %r2, 5;", recorded::write("%r2"), 0).empty());
}

TEST_CASE("bits that shl, shr, cvt and prmt put elsewhere") {
  const auto before = [](const std::string& ptx, int bit) -> std::string {
    const trace::Step step = recorded::step(0, 1, ptx, 1);
    if (!places_bits(step)) return "-";
    return text(before_placing(step, {"%d", 7, bit}));
  };
  CHECK(before("shl.b64 %d, %rd1, 32;", 40) == "%rd1 of lane 7, from bit 8 on");
  CHECK(before("shl.b64 %d, %rd1, 32;", 31).empty());  // a zero
  CHECK(before("shr.u32 %d, %r1, 16;", 3) == "%r1 of lane 7, from bit 19 on");
  CHECK(before("shr.u32 %d, %r1, 3;", 0) == "-");  // it divides
  CHECK(before("shl.b32 %d, %r1, %r2;", 16) == "-");
  CHECK(before("cvt.u64.u32 %d, %r1;", 31) == "%r1 of lane 7, from bit 31 on");
  CHECK(before("cvt.u64.u32 %d, %r1;", 32).empty());
  CHECK(before("cvt.u16.u32 %d, %r1;", 8) == "%r1 of lane 7, from bit 8 on");
  CHECK(before("cvt.u32.f32 %d, %f1;", 8).empty());
  CHECK(before("cvt.rn.f16.f32 %d, %f1;", 0) == "-");
  CHECK(before("prmt.b32 %d, %r1, %r2, 0x5410U;", 8) == "%r1 of lane 7, from bit 8 on");
  CHECK(before("prmt.b32 %d, %r1, %r2, 0x5410;", 16) == "%r2 of lane 7, from bit 0 on");
  CHECK(before("prmt.b32 %d, %r1, %r2, 0x5490;", 8).empty());  // a sign, eight times
  CHECK(before("prmt.b32 %d, %r1, %r2, %r3;", 0).empty());
}

TEST_CASE("an ldmatrix: the row, and the lane whose address it is") {
  const trace::Step step =
      recorded::step(0, 1, "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r9];", 1,
                     {recorded::write("%r1"), recorded::write("%r2")});
  trace::Access access = access_of(~0u);
  access.instruction = "ldmatrix.sync.aligned.m8n8.x2.shared.b16";
  // Lane 13's second register, upper half: element (3, 3) of the second matrix, as stmatrix's
  // below.
  const auto from = before_ldmatrix({&step, &access}, step.writes[1], {"%r2", 13, 16});
  REQUIRE(from);
  CHECK(from->row == 11);
  CHECK(from->address == 0x100 * 11 + 6);
  CHECK(from->bit == 0);
  CHECK(!before_ldmatrix({&step, nullptr}, step.writes[1], {"%r2", 13, 16}));
  access.addresses.resize(8);
  CHECK(!before_ldmatrix({&step, &access}, step.writes[1], {"%r2", 13, 16}));
}

TEST_CASE("a load, an element of a vector at a time, and in lanes that take part") {
  const trace::Step step = recorded::step(0, 1, "ld.shared.v2.u32 {%r1, %r2}, [%r9];", 1);
  const trace::Access access = access_of(~(1u << 8));
  CHECK(before_load({&step, &access}, {"%r2", 7, 16}) == 0x706);
  CHECK(before_load({&step, &access}, {"%r1", 7, 0}) == 0x700);
  CHECK(!before_load({&step, &access}, {"%r1", 8, 0}));
  CHECK(!before_load({&step, nullptr}, {"%r1", 7, 0}));
}

TEST_CASE("a store, and a row that stmatrix stores out of other lanes") {
  const std::string st = "st.shared.v2.u16 [%r9], {%rs1, %rs2};";
  CHECK(stored(st, 7, 1) == "%rs1 of lane 7, from bit 8 on");
  CHECK(stored(st, 7, 2) == "%rs2 of lane 7, from bit 0 on");
  CHECK(stored("st.shared.u32 [%r9], 5;", 7, 0).empty());
  // PTX ISA 9.2, 9.7.14.5.16: lanes 8 to 15 name the rows of the second matrix; its element (3, 3)
  // is the upper half of lane 3 * 4 + 1's second register.
  const std::string stmatrix = "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r9], {%r1, %r2};";
  CHECK(stored(stmatrix, 11, 6) == "%r2 of lane 13, from bit 16 on");
  CHECK(stored(stmatrix, 0, 0) == "%r1 of lane 0, from bit 0 on");
  CHECK(stored("red.shared.add.u32 [%r9], %r1;", 7, 0).empty());
}

}  // namespace lanescope::viz
