// SPDX-License-Identifier: MIT
// diagnose names every mistake that is planted, for several instructions.
#include <string>

#include "layout/swizzle.hpp"
#include "tests/trace/mistaken.hpp"

using namespace lanescope;
using namespace lanescope::trace_test;

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
    CHECK(a.mistake == "registers A.r1 and A.r2 are exchanged");
    CHECK(a.register_index == 1);
    const Diagnosis b = planted(instruction, 'B', 32, 8, exchanged(instruction, 'B', 0, 1));
    CHECK(b.mistake == "registers B.r0 and B.r1 are exchanged");
  }
  CHECK(planted(kF16, 'A', 16, 16, exchanged(kF16, 'A', 0, 3)).mistake ==
        "registers A.r0 and A.r3 are exchanged");
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
  CHECK(twice.mistake == "all parts of a register hold what belongs into .hi");
  const Diagnosis bytes = planted(kS8, 'A', 16, 32, [](int lane, int reg, int part, Place) {
    return element_of(kS8, 'A', lane, reg, 3 - part);
  });
  CHECK(bytes.kind == "wrong-half");
  const auto moved = [](int by) {
    return planted(kS8, 'A', 16, 32, [by](int lane, int reg, int part, Place) {
      return element_of(kS8, 'A', lane, reg, part ^ by);
    });
  };
  CHECK(moved(1).mistake == "the two neighbouring parts of every pair are exchanged");
  CHECK(moved(2).kind == "wrong-half");
  CHECK(moved(2).mistake == "the lower and the upper half of every register are exchanged");
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

TEST_CASE("a tile that says that it lies swizzled is read through its swizzle") {
  trace::Trace trace;
  trace.events.push_back(fragment(kF16, 'A', [](int, int, int, Place e) {
    const auto moved = static_cast<int>(layout::swizzled(
        static_cast<std::uint32_t>((e.row * 64 + e.col) * 2), layout::Swizzle::b128));
    return Place{moved / 2 / 64, moved / 2 % 64};
  }));
  trace.events.push_back(matrix("A in shared", layout::find(kF16)->A, 16, 64));
  CHECK(only(trace).kind == "swizzle-one-side");
  std::get<trace::Memory>(trace.events[1]).name = "A swizzled";
  const Diagnosis d = only(trace);
  CHECK((d.verdict == Verdict::right));
  CHECK(d.elements == 256);
  CHECK(d.misplaced.empty());
}

TEST_CASE("bytes on one side of a swizzle only") {
  const Diagnosis d = planted(kS8, 'A', 16, 128, [](int, int, int, Place e) {
    const auto offset = static_cast<std::uint32_t>(e.row * 128 + e.col);
    const auto moved = static_cast<int>(layout::swizzled(offset, layout::Swizzle::b128));
    return Place{moved / 128, moved % 128};
  });
  CHECK(d.kind == "swizzle-one-side");
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
  trace::Trace never_loaded;
  never_loaded.events.push_back(fragment(kF16, 'A', kRight));
  never_loaded.events.push_back(matrix("A", layout::find(kF16)->A, 16, 16));
  for (auto& words : std::get<trace::Fragment>(never_loaded.events[0]).registers)
    std::fill(words.begin(), words.end(), 0);
  CHECK(only(never_loaded).mistake.find("256 of 256 elements are 0: nothing was loaded") == 0);
  const Diagnosis integers = planted(kS8, 'A', 16, 32, [](int, int, int, Place) {
    return Place{-1, -1};
  });
  CHECK(integers.mistake.find(" elements are -1, all bits 1: nothing was loaded") !=
        std::string::npos);

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
  // A whole register may as well be made of another's bits: lesson 19's B is, without ldmatrix.
  CHECK(many.advice.find("without ldmatrix: of what is the register made?") != std::string::npos);
  CHECK(one.advice.find("without ldmatrix") == std::string::npos);
  const Diagnosis two = planted(kF16, 'A', 16, 16, [](int lane, int reg, int, Place e) {
    return reg == 0 && lane / 4 >= 6 ? Place{e.row - 6, e.col} : e;
  });
  CHECK(
      two.mistake ==
      "lane 6 names a wrong row to ldmatrix: it begins at 0,0 instead of 6,0; another one does so "
      "too");
  // B row-major, loaded with .trans: lane 9 serves k = 9.
  const Diagnosis b = planted(kF16, 'B', 16, 8, [](int, int, int, Place e) {
    return e.row == 9 ? Place{2, e.col} : e;
  });
  CHECK(b.kind == "lane-address");
  CHECK(b.mistake == "lane 9 names a wrong row to ldmatrix: it begins at 2,0 instead of 9,0");
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

TEST_CASE("the registers of every pair exchanged are named, where a register has one element") {
  const Diagnosis d = planted(kF16, 'D', 16, 8, [](int lane, int reg, int, Place) {
    return layout::find(kF16)->D.element(lane, reg ^ 1);
  });
  CHECK((d.verdict == Verdict::mistake));
  CHECK(d.kind == "registers-exchanged");
  CHECK(d.mistake == "the two registers of every pair are exchanged");
}

TEST_CASE("of many registers, and of four warps: blocks exchanged, rows of a warp missing") {
  constexpr const char* kWgmma = "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16";
  const auto d_from = [&](int low, int high) {
    return planted(kWgmma, 'D', 64, 64, [=](int thread, int reg, int, Place) {
      const bool differ = ((reg & low) != 0) != ((reg & high) != 0);
      return layout::find(kWgmma)->D.element(thread, differ ? reg ^ (low | high) : reg);
    });
  };
  CHECK(d_from(2, 4).kind == "registers-exchanged");
  CHECK(d_from(2, 4).mistake ==
        "registers D.r2, D.r3 and D.r4, D.r5 are exchanged, and so on in every 8");
  CHECK(d_from(1, 2).mistake == "registers D.r1 and D.r2 are exchanged, and so on in every 4");
  const Diagnosis warps = planted(kWgmma, 'D', 64, 64, [](int thread, int reg, int, Place) {
    return layout::find(kWgmma)->D.element(thread % 32, reg);
  });
  CHECK(warps.kind == "lane-step");
  CHECK(warps.mistake == "every warp holds what belongs to warp 0");
}

// As of a tile in shared memory whose rows have 128, 64 or 32 bytes: of four, or of two, an
// element there.
TEST_CASE("units that a swizzle has moved within the rows of the matrix itself") {
  constexpr const char* kWgmma = "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16";
  for (const int each : {4, 8}) {
    const auto moved = [each](int rows_alike, int units) {
      return planted(kWgmma, 'D', 64, 64, [=](int, int, int, Place home) {
        return Place{home.row, home.col ^ (home.row / rows_alike % units * each)};
      });
    };
    CHECK(moved(1, 8).kind == "swizzle-one-side");
    CHECK(moved(1, 8).mistake ==
          "the 16-byte units of every row are where the 128B swizzle puts them: swizzled on one "
          "side only");
    CHECK(moved(2, 4).mistake.find("where the 64B swizzle puts them") != std::string::npos);
    CHECK(moved(4, 2).mistake.find("where the 32B swizzle puts them") != std::string::npos);
  }
}

TEST_CASE("a step between registers that is missing, half or twice as long") {
  const auto of_a = [](int bit, int times, int of) {
    return planted(kF16, 'A', 32, 32, [=](int lane, int reg, int part, Place home) {
      const Place near = element_of(kF16, 'A', lane, reg & ~bit, part);
      return Place{near.row + (home.row - near.row) * times / of,
                   near.col + (home.col - near.col) * times / of};
    });
  };
  CHECK(of_a(1, 0, 1).kind == "register-step");
  CHECK(of_a(1, 0, 1).mistake ==
        "the step of 8 rows is missing between registers A.r0, A.r2 and A.r1, A.r3");
  CHECK(of_a(2, 0, 1).mistake ==
        "the step of 8 columns is missing between registers A.r0, A.r1 and A.r2, A.r3");
  CHECK(of_a(2, 2, 1).mistake ==
        "from registers A.r0, A.r1 to A.r2, A.r3 it is 16 columns, not 8 columns");
  CHECK(of_a(1, 1, 2).mistake ==
        "from registers A.r0, A.r2 to A.r1, A.r3 it is 4 rows, not 8 rows");
  CHECK(of_a(2, 2, 1).register_index == 2);
  const Diagnosis b = planted(kS8, 'B', 32, 8, [](int lane, int, int part, Place) {
    return element_of(kS8, 'B', lane, 0, part);
  });
  CHECK(b.mistake == "the step of 16 rows is missing between registers B.r0 and B.r1");
}

TEST_CASE("a step between lanes that is half or twice as long, or none at all") {
  const auto lanes = [](const char* instruction, int times, int of) {
    return planted(instruction, 'A', 32, 64, [=](int, int, int, Place home) {
      const int parts = layout::find(instruction)->A.values_per_register();
      const int from_lane = home.col % (4 * parts) / parts * parts;
      return Place{home.row, home.col - from_lane + from_lane * times / of};
    });
  };
  CHECK(lanes(kF16, 1, 2).kind == "lane-step");
  CHECK(lanes(kF16, 1, 2).mistake ==
        "from lane to lane of a group of four it goes on by 1 column, not 2 columns");
  CHECK(lanes(kS8, 1, 2).mistake ==
        "from lane to lane of a group of four it goes on by 2 columns, not 4 columns");
  CHECK(lanes(kTf32, 2, 1).mistake ==
        "from lane to lane of a group of four it goes on by 2 columns, not 1 column");
  const Diagnosis same = planted(kF16, 'B', 16, 8, [](int, int reg, int part, Place) {
    return element_of(kF16, 'B', 0, reg, part);
  });
  CHECK(same.mistake == "every lane holds what belongs to lane 0");
}
