// SPDX-License-Identifier: MIT
// diagnose names every mistake that is planted, for several instructions, says so when it knows
// none, and never calls a right fragment wrong.
#include "trace/diagnose.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "layout/instruction.hpp"
#include "layout/swizzle.hpp"

using namespace lanescope;
using trace::Diagnosis;
using trace::Verdict;

namespace {

constexpr const char* kF16 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
constexpr const char* kS8 = "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32";
constexpr const char* kTf32 = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";

using Place = layout::Element;
/// The element a slot is given, in the coordinates of the matrix; by default where it belongs.
using Plant = std::function<Place(int lane, int reg, int part, Place home)>;

/// Element bits that differ all over the matrix as far as the width allows.
std::uint64_t pattern(int row, int col, int bits) {
  return bits >= 16 ? static_cast<std::uint64_t>(row * 131 + col * 7 + 1)
                    : static_cast<std::uint64_t>(row * 53 + col * 101 + row * col * 7 + 1) & 0xff;
}

trace::Memory matrix(const std::string& name, const layout::Fragment& map, int rows, int cols,
                     const char* space = "shared", bool transposed = false, int salt = 0) {
  trace::Memory memory;
  memory.name = name;
  memory.space = space;
  memory.type = std::string(layout::name(map.type));
  memory.rows = transposed ? cols : rows;
  memory.cols = transposed ? rows : cols;
  memory.row_stride_bytes = memory.cols * map.element_bits / 8;
  for (int r = 0; r < memory.rows; ++r)
    for (int c = 0; c < memory.cols; ++c) {
      const std::uint64_t word = pattern(transposed ? c : r, transposed ? r : c, map.element_bits) +
                                 static_cast<std::uint64_t>(salt);
      for (int byte = 0; byte < map.element_bits / 8; ++byte)
        memory.bytes.push_back(static_cast<std::uint8_t>(word >> (8 * byte)));
    }
  return memory;
}

trace::Fragment fragment(const char* instruction, char operand, const Plant& plant,
                         const std::string& name = "", int first_row = 0, int first_col = 0,
                         int salt = 0) {
  const layout::Fragment& map = *layout::find(instruction)->operand(operand);
  trace::Fragment f;
  f.name = name.empty() ? std::string(1, operand) : name;
  f.instruction = instruction;
  f.operand = std::string(1, operand);
  f.register_bits = map.register_bits;
  f.registers.assign(static_cast<std::size_t>(map.registers()),
                     std::vector<std::uint64_t>(static_cast<std::size_t>(map.threads()), 0));
  for (const layout::Held& held : layout::register_layout(map)) {
    const layout::Holder& h = held.holder;
    const Place home{first_row + held.element.row, first_col + held.element.col};
    const Place from = plant(h.thread, h.register_index, h.value % map.values_per_register(), home);
    std::uint64_t bits =
        pattern(from.row, from.col, map.element_bits) + static_cast<std::uint64_t>(salt);
    if (from.row < 0) bits = ~std::uint64_t{0};
    if (map.element_bits < 64) bits &= (std::uint64_t{1} << map.element_bits) - 1;
    f.registers[static_cast<std::size_t>(h.register_index)][static_cast<std::size_t>(h.thread)] |=
        bits << h.bit;
  }
  return f;
}

const Plant kRight = [](int, int, int, Place home) { return home; };

Diagnosis only(const trace::Trace& trace) {
  const std::vector<Diagnosis> all = trace::diagnose(trace);
  REQUIRE(all.size() == 1);
  const auto& known = trace::known_mistakes();
  if (all[0].verdict == Verdict::mistake)
    CHECK_MESSAGE(std::any_of(known.begin(), known.end(),
                              [&](const auto& one) { return all[0].kind == one.kind; }),
                  all[0].kind << " is not on its list");
  return all[0];
}

/// A planted mistake in a fragment that begins at first_row, first_col of a rows x cols matrix.
Diagnosis planted(const char* instruction, char operand, int rows, int cols, const Plant& plant,
                  const std::string& name = "", int first_row = 0, int first_col = 0) {
  const layout::Fragment& map = *layout::find(instruction)->operand(operand);
  trace::Trace trace;
  trace.events.push_back(fragment(instruction, operand, plant, name, first_row, first_col));
  trace.events.push_back(matrix(std::string(1, operand) + " in shared memory", map, rows, cols));
  return only(trace);
}

Place element_of(const char* instruction, char operand, int lane, int reg, int part) {
  const layout::Fragment& map = *layout::find(instruction)->operand(operand);
  return map.element(lane, reg * map.values_per_register() + part);
}

}  // namespace

TEST_CASE("what is right is right, for every mma of 8 bits and more") {
  int tried = 0;
  for (const layout::Instruction& instruction : layout::instructions()) {
    if (instruction.family != "mma") continue;
    for (const char operand : {'A', 'B'}) {
      const layout::Fragment* map = instruction.operand(operand);
      if (map == nullptr || map->element_bits < 8 || map->matrices > 1) continue;
      if (map->payload_bits() != map->element_bits) continue;
      trace::Trace trace;
      trace.events.push_back(fragment(instruction.mnemonic.c_str(), operand, kRight));
      trace.events.push_back(matrix(std::string(1, operand), *map, map->rows, map->cols));
      const Diagnosis d = only(trace);
      CAPTURE(instruction.mnemonic);
      CAPTURE(d.mistake);
      CHECK(d.verdict == Verdict::right);
      CHECK(d.wrong == 0);
      CHECK(d.elements == map->threads() * map->values);
      ++tried;
    }
  }
  CHECK(tried > 40);
}

TEST_CASE("transposed: every 8 x 8 matrix, as a missing or extra .trans has it") {
  const Plant plant = [](int, int, int, Place e) {
    return Place{e.row / 8 * 8 + e.col % 8, e.col / 8 * 8 + e.row % 8};
  };
  for (const char operand : {'A', 'B'}) {
    const Diagnosis d = planted(kF16, operand, 16, operand == 'A' ? 16 : 8, plant);
    CHECK(d.verdict == Verdict::mistake);
    CHECK(d.kind == "transposed");
    CHECK(d.mistake == "every 8 x 8 matrix is transposed");
    CHECK(d.advice.find(".trans") != std::string::npos);
    CHECK(d.lane == 0);
    CHECK(d.register_index == 0);
    CHECK(d.wrong == (operand == 'A' ? 224 : 112));  // the diagonals stay
  }
}

TEST_CASE("row and column swapped: the whole matrix, and the two numbers of a lane") {
  const Diagnosis whole = planted(kF16, 'A', 16, 16, [](int, int, int, Place e) {
    return Place{e.col, e.row};
  });
  CHECK(whole.kind == "row-and-column");
  CHECK(whole.mistake.find("the transposed matrix") != std::string::npos);
  for (const char* instruction : {kF16, kS8}) {
    const Diagnosis lanes =
        planted(instruction, 'A', 16, 32, [&](int lane, int reg, int part, Place) {
          return element_of(instruction, 'A', lane % 8 * 4 + lane / 8, reg, part);
        });
    CHECK(lanes.kind == "row-and-column");
    CHECK(lanes.mistake == "groupID and threadID_in_group are exchanged");
  }
}

TEST_CASE("registers exchanged: a1 and a2, b0 and b1, of several instructions") {
  const auto exchanged = [](const char* instruction, char operand, int one, int other) {
    return [=](int lane, int reg, int part, Place) {
      const int from = reg == one ? other : reg == other ? one : reg;
      return element_of(instruction, operand, lane, from, part);
    };
  };
  for (const char* instruction : {kF16, kS8, kTf32}) {
    const Diagnosis a = planted(instruction, 'A', 16, 32, exchanged(instruction, 'A', 1, 2));
    CHECK(a.kind == "registers-exchanged");
    CHECK(a.mistake == "registers a1 and a2 are exchanged");
    CHECK(a.register_index == 1);
    const Diagnosis b = planted(instruction, 'B', 32, 8, exchanged(instruction, 'B', 0, 1));
    CHECK(b.mistake == "registers b0 and b1 are exchanged");
  }
  CHECK(planted(kF16, 'A', 16, 16, exchanged(kF16, 'A', 0, 3)).mistake ==
        "registers a0 and a3 are exchanged");
}

TEST_CASE("wrong half: exchanged, or the same in all parts") {
  const Diagnosis exchanged = planted(kF16, 'A', 16, 16, [](int lane, int reg, int part, Place) {
    return element_of(kF16, 'A', lane, reg, 1 - part);
  });
  CHECK(exchanged.kind == "wrong-half");
  CHECK(exchanged.mistake == "the parts of every register are in the opposite order");
  const Diagnosis twice = planted(kF16, 'B', 16, 8, [](int lane, int reg, int, Place) {
    return element_of(kF16, 'B', lane, reg, 1);
  });
  CHECK(twice.kind == "wrong-half");
  CHECK(twice.mistake == "all parts of a register hold what belongs into part 1");
  const Diagnosis bytes = planted(kS8, 'A', 16, 32, [](int lane, int reg, int part, Place) {
    return element_of(kS8, 'A', lane, reg, 3 - part);
  });
  CHECK(bytes.kind == "wrong-half");
}

TEST_CASE("off by a step of k, or by half of one") {
  const auto ahead = [](int rows, int cols) {
    return [=](int, int, int, Place e) { return Place{e.row + rows, e.col + cols}; };
  };
  CHECK(planted(kF16, 'A', 16, 64, ahead(0, 16), "A k=16", 0, 16).mistake ==
        "it is one step of k ahead");
  CHECK(planted(kF16, 'A', 16, 64, ahead(0, -16), "A k=16", 0, 16).mistake ==
        "it is one step of k behind");
  CHECK(planted(kF16, 'A', 16, 64, ahead(0, 8), "A k=16", 0, 16).mistake ==
        "it is 8 elements of k ahead");
  CHECK(planted(kF16, 'B', 64, 8, ahead(16, 0)).mistake == "it is one step of k ahead");
  CHECK(planted(kF16, 'B', 64, 8, ahead(32, 0)).mistake == "it is 2 steps of k ahead");
  CHECK(planted(kF16, 'A', 16, 64, kRight, "A k=16", 0, 16).verdict == Verdict::right);
}

TEST_CASE("a swizzle on one side only, in every mode") {
  for (const layout::Swizzle mode :
       {layout::Swizzle::b32, layout::Swizzle::b64, layout::Swizzle::b128}) {
    for (const int cols : {16, 32, 64}) {
      if (cols * 2 < 16 << layout::swizzle_bits(mode)) continue;  // would leave the row
      const Diagnosis d = planted(kF16, 'A', 16, cols, [&](int, int, int, Place e) {
        const auto offset = static_cast<std::uint32_t>((e.row * cols + e.col) * 2);
        const auto moved = static_cast<int>(layout::swizzled(offset, mode)) / 2;
        return Place{moved / cols, moved % cols};
      });
      CAPTURE(layout::name(mode));
      CAPTURE(cols);
      CHECK(d.kind == "swizzle-one-side");
      CHECK(d.mistake.find(std::string(layout::name(mode))) != std::string::npos);
    }
  }
}

TEST_CASE("stale: never written, or the tile before") {
  const Diagnosis all = planted(kF16, 'A', 16, 16, [](int, int, int, Place) {
    return Place{-1, -1};
  });
  CHECK(all.kind == "stale");
  CHECK(all.mistake.find("256 of 256 elements are NaNs") == 0);
  const Diagnosis half = planted(kF16, 'A', 16, 16, [](int, int, int, Place e) {
    return e.col < 8 ? e : Place{-1, -1};
  });
  CHECK(half.kind == "stale");
  CHECK(half.mistake.find("128 of 256") == 0);

  const layout::Fragment& map = layout::find(kF16)->A;
  trace::Trace trace;
  trace.events.push_back(fragment(kF16, 'A', kRight, "A", 0, 0, 5));
  trace.events.push_back(matrix("A step 1", map, 16, 16));
  trace.events.push_back(matrix("A step 0", map, 16, 16, "shared", false, 5));
  // By either of them it would be right: only a matrix in global memory says what was meant.
  CHECK(only(trace).verdict == Verdict::right);
  trace.events.push_back(matrix("A", map, 16, 16, "global"));
  const Diagnosis before = only(trace);
  CHECK(before.kind == "stale");
  CHECK(before.mistake == "it is another tile: \"A step 0\", not \"A\"");
}

TEST_CASE("a lane that names a wrong row to ldmatrix") {
  // Lane 21 serves row 5 of register 2, which are A's rows 0 to 7 from column 8 on.
  const Diagnosis one = planted(kF16, 'A', 16, 16, [](int lane, int reg, int, Place e) {
    return reg == 2 && lane / 4 == 5 ? Place{11, e.col - 8} : e;
  });
  CHECK(one.kind == "lane-address");
  CHECK(one.mistake == "lane 21 names a wrong row to ldmatrix: it begins at 11,0 instead of 5,8");
  CHECK(one.wrong == 8);
  const Diagnosis many = planted(kF16, 'A', 16, 16, [](int, int reg, int, Place e) {
    return reg == 2 ? Place{(e.row + 3) % 8, e.col - 8} : e;
  });
  CHECK(many.kind == "lane-address");
  CHECK(many.mistake.find("7 others do so too") != std::string::npos);
  // B row-major, loaded with .trans: lane 9 serves k = 9.
  const Diagnosis b = planted(kF16, 'B', 16, 8, [](int, int, int, Place e) {
    return e.row == 9 ? Place{2, e.col} : e;
  });
  CHECK(b.kind == "lane-address");
  CHECK(b.mistake == "lane 9 names a wrong row to ldmatrix: it begins at 2,0 instead of 9,0");
}

TEST_CASE("an honest no: what no known mistake explains") {
  const Diagnosis shuffled = planted(kF16, 'A', 16, 16, [](int, int, int, Place e) {
    return Place{(e.row * 5 + 3) % 16, (e.col * 3 + e.row) % 16};
  });
  CHECK(shuffled.verdict == Verdict::unknown);
  CHECK(shuffled.kind.empty());
  CHECK(shuffled.mistake == "not one of the known mistakes");
  CHECK(shuffled.first.find("lane 0, A.r0, low half: expected A[0][0] = ") == 0);
  const Diagnosis one = planted(kF16, 'A', 16, 16, [](int lane, int reg, int part, Place e) {
    return lane == 13 && reg == 1 && part == 0 ? Place{0, 0} : e;
  });
  CHECK(one.verdict == Verdict::unknown);
  CHECK(one.wrong == 1);
  CHECK(one.lane == 13);
  CHECK(one.register_index == 1);
}

TEST_CASE("nothing to compare with is no verdict") {
  trace::Trace trace;
  trace.events.push_back(fragment(kF16, 'A', kRight));
  CHECK(only(trace).verdict == Verdict::not_compared);
  CHECK(only(trace).mistake == "the trace has no matrix A of type f16 to compare it with");
  trace.events.push_back(matrix("B", layout::find(kF16)->B, 16, 16));  // another operand's
  CHECK(only(trace).verdict == Verdict::not_compared);
  trace.events.push_back(matrix("Alpha", layout::find(kF16)->A, 16, 16));  // no operand's
  CHECK(only(trace).verdict == Verdict::not_compared);
  std::get<trace::Fragment>(trace.events[0]).instruction = "mma.of.my.own";
  CHECK(only(trace).mistake == "the atlas has no map of it");
  trace::Trace short_one;
  short_one.events.push_back(fragment(kF16, 'A', kRight));
  std::get<trace::Fragment>(short_one.events[0]).registers.pop_back();
  CHECK(only(short_one).verdict == Verdict::not_compared);
}

TEST_CASE("a name with an absurd step, and a matrix that lacks bytes, are no reason to stop") {
  const layout::Fragment& map = layout::find(kF16)->A;
  for (const char* name : {"A k=99999999999999999999", "A k=2147483647", "A m=-5", "A k="}) {
    trace::Trace trace;
    trace.events.push_back(fragment(kF16, 'A', kRight, name));
    trace.events.push_back(matrix("A", map, 16, 16));
    CAPTURE(name);
    CHECK(only(trace).verdict != Verdict::not_compared);
  }
  trace::Trace cut;
  cut.events.push_back(fragment(kF16, 'A', kRight));
  cut.events.push_back(matrix("A", map, 16, 16));
  std::get<trace::Memory>(cut.events[1]).bytes.resize(7);
  CHECK(only(cut).verdict == Verdict::unknown);
}

TEST_CASE("a matrix that lies transposed, by its name or by its shape") {
  const layout::Fragment& a = layout::find(kF16)->A;
  const layout::Fragment& b = layout::find(kF16)->B;
  trace::Trace by_name;
  by_name.events.push_back(fragment(kF16, 'A', kRight));
  by_name.events.push_back(matrix("a_t", a, 16, 16, "shared", true));
  CHECK(only(by_name).verdict == Verdict::right);
  trace::Trace by_shape;
  by_shape.events.push_back(fragment(kF16, 'B', kRight));
  by_shape.events.push_back(matrix("B by columns", b, 16, 8, "shared", true));  // 8 x 16
  CHECK(only(by_shape).verdict == Verdict::right);
}

TEST_CASE("a block's own part of a matrix in global memory") {
  const layout::Fragment& map = layout::find(kF16)->A;
  trace::Trace trace;
  trace.events.push_back(fragment(kF16, 'A', kRight, "A", 32, 0));
  trace.events.push_back(matrix("A", map, 64, 16, "global"));
  CHECK(only(trace).verdict == Verdict::right);
}

TEST_CASE("a symmetric matrix cannot tell, and that is said") {
  trace::Trace trace;
  const layout::Fragment& map = layout::find(kF16)->A;
  trace::Memory zeros = matrix("A", map, 16, 16);
  std::fill(zeros.bytes.begin(), zeros.bytes.end(), std::uint8_t{0});
  trace::Fragment f = fragment(kF16, 'A', kRight);
  for (auto& reg : f.registers) std::fill(reg.begin(), reg.end(), 0);
  trace.events.push_back(f);
  trace.events.push_back(zeros);
  const Diagnosis d = only(trace);
  CHECK(d.verdict == Verdict::right);
  CHECK(d.note.find("this matrix cannot tell: it would look the same if") == 0);
  CHECK(planted(kF16, 'A', 16, 16, kRight).note.empty());
}

// That every kind it names is on the list, only() sees to.
TEST_CASE("the list names each kind once, in words") {
  std::set<std::string> kinds;
  for (const trace::KnownMistake& one : trace::known_mistakes()) {
    CHECK(kinds.insert(one.kind).second);
    CHECK(std::string(one.words).size() > 20);
  }
  CHECK(kinds.size() == 8);
}

TEST_CASE("a matrix of four-bit numbers may have a byte for each") {
  constexpr const char* kS4 = "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32";
  const layout::Fragment& map = layout::find(kS4)->A;
  const auto number = [](int row, int col) {
    return static_cast<unsigned>(7 * row + 3 * col + row * col / 5) & 0xf;
  };
  trace::Memory packed, wide;
  for (trace::Memory* memory : {&packed, &wide}) {
    memory->name = "A";
    memory->space = "global";
    memory->type = "s4";
    memory->rows = 16;
    memory->cols = 64;
    for (int row = 0; row < 16; ++row)
      for (int col = 0; col < 64; col += memory == &wide ? 1 : 2)
        memory->bytes.push_back(static_cast<std::uint8_t>(
            memory == &wide ? number(row, col) | 0xf0  // a sign, as in an s8
                            : number(row, col) | number(row, col + 1) << 4));
  }
  for (const trace::Memory& memory : {packed, wide})
    for (const bool swapped : {false, true}) {
      trace::Fragment f = fragment(kS4, 'A', kRight);
      for (auto& reg : f.registers) std::fill(reg.begin(), reg.end(), 0);
      for (const layout::Held& held : layout::register_layout(map)) {
        const layout::Holder& h = held.holder;
        const int part = h.value % 8;
        const Place e = map.element(h.thread, h.value - part + (swapped ? part ^ 1 : part));
        f.registers[static_cast<std::size_t>(h.register_index)]
                   [static_cast<std::size_t>(h.thread)] |=
            static_cast<std::uint64_t>(number(e.row, e.col)) << h.bit;
      }
      trace::Trace trace;
      trace.events = {f, memory};
      const Diagnosis d = only(trace);
      CAPTURE(swapped);
      CHECK((d.verdict == (swapped ? Verdict::mistake : Verdict::right)));
      CHECK(d.mistake == (swapped ? "the two neighbouring parts of every pair are exchanged" : ""));
    }
}

TEST_CASE("a register of one element has no parts whose order a matrix could not tell") {
  const Diagnosis d = planted(kF16, 'D', 16, 8, kRight);
  CHECK((d.verdict == Verdict::right));
  CHECK(d.note == "");
}

TEST_CASE("the registers of every pair exchanged are named, where a register has one element") {
  const Diagnosis d = planted(kF16, 'D', 16, 8, [](int lane, int reg, int, Place) {
    return layout::find(kF16)->D.element(lane, reg ^ 1);
  });
  CHECK((d.verdict == Verdict::mistake));
  CHECK(d.kind == "registers-exchanged");
  CHECK(d.mistake == "the two registers of every pair are exchanged");
}
