// SPDX-License-Identifier: MIT
// Dense mma.sync: the table against the ISA's formulas (isa_mma.hpp), element by element, and the
// list of instructions against the ISA's syntax boxes.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <sstream>

#include "layout/instruction.hpp"
#include "tests/layout/isa_mma.hpp"

using namespace lanescope::layout;

namespace {

bool has_word(const std::string& words, std::string_view word) {
  std::istringstream stream(words);
  for (std::string one; stream >> one;)
    if (one == word) return true;
  return false;
}

std::string shape_of(const Instruction& i) { return fmt::format("m{}n{}k{}", i.M, i.N, i.K); }

// "row" or "col": how the mnemonic says that A (first) or B (second) is laid out.
std::string layout_of(const Instruction& i, char operand) {
  const std::size_t at = i.mnemonic.find(shape_of(i)) + shape_of(i).size() + 1;
  return i.mnemonic.substr(operand == 'A' ? at : at + 4, 3);
}

// The formula that the ISA gives for this operand of this instruction.
const isa::Operand* formula_for(const Instruction& i, const Fragment& f) {
  const char letter = f.operand == 'D' ? 'C' : f.operand;
  const isa::Operand* found = nullptr;
  for (const isa::Operand& o : isa::mma_operands()) {
    const std::string shape = shape_of(i);
    const bool family = o.shape == "m16n8" && shape.rfind("m16n8k", 0) == 0;
    if ((o.shape != shape && !family) || o.operand != letter) continue;
    if (!has_word(o.types, name(f.type))) continue;
    if (!o.layout.empty() && o.layout != layout_of(i, letter)) continue;
    CHECK_MESSAGE(found == nullptr, "two formulas for " << i.mnemonic << " " << f.operand);
    found = &o;
  }
  return found;
}

}  // namespace

TEST_CASE("every dense mma fragment is what the ISA's formulas say") {
  int compared = 0;
  for (const Instruction& i : instructions()) {
    if (i.family != "mma" || i.mnemonic.find("kind::") != std::string::npos) continue;
    for (char letter : {'A', 'B', 'C', 'D'}) {
      const Fragment* f = i.operand(letter);
      REQUIRE(f != nullptr);
      const isa::Operand* o = formula_for(i, *f);
      REQUIRE_MESSAGE(o != nullptr, "no formula for " << i.mnemonic << " " << letter);
      CAPTURE(i.mnemonic);
      CAPTURE(letter);
      CHECK(f->values == o->elements);
      for (int lane = 0; lane < 32; ++lane) {
        for (int n = 0; n < o->elements; ++n) {
          const Element e = f->element(lane, n);
          const isa::Place p = o->place(lane, n);
          if (e.row != p.row || e.col != p.col)
            FAIL("lane " << lane << " element " << n << ": table (" << e.row << "," << e.col
                         << "), ISA (" << p.row << "," << p.col << ")");
          ++compared;
        }
      }
    }
  }
  CHECK(compared > 70 * 4 * 32);
}

TEST_CASE("quad-pair q of m8n8k4 is lanes 4q..4q+3 and 16+4q..16+4q+3") {
  const Instruction* i = find("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16");
  REQUIRE(i != nullptr);
  for (char letter : {'A', 'B', 'C', 'D'})
    for (int lane = 0; lane < 32; ++lane)
      for (int n = 0; n < i->operand(letter)->values; ++n)
        CHECK(i->operand(letter)->element(lane, n).matrix == lane % 16 / 4);
}

TEST_CASE("the dense instructions are those of the syntax boxes, no more and no fewer") {
  // PTX ISA 9.2, 9.7.14.5.14, without the .kind forms; written out a second time.
  std::set<std::string> expected;
  const auto add = [&](const std::string& text) { expected.insert("mma.sync.aligned." + text); };
  for (std::string a : {"row", "col"})
    for (std::string b : {"row", "col"})
      for (std::string types : {"f16.f16.f16.f16", "f32.f16.f16.f16", "f32.f16.f16.f32"})
        add("m8n8k4." + a + "." + b + "." + types);
  for (std::string k : {"8", "16"}) {
    add("m16n8k" + k + ".row.col.f16.f16.f16.f16");
    add("m16n8k" + k + ".row.col.f32.f16.f16.f32");
    add("m16n8k" + k + ".row.col.f32.bf16.bf16.f32");
  }
  for (std::string k : {"4", "8"}) add("m16n8k" + k + ".row.col.f32.tf32.tf32.f32");
  for (std::string shape : {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"})
    add(shape + ".row.col.f64.f64.f64.f64");
  for (std::string a : {"e4m3", "e5m2"})
    for (std::string b : {"e4m3", "e5m2"})
      for (std::string c : {"f16", "f32"})
        for (std::string k : {"16", "32"})
          add("m16n8k" + k + ".row.col." + c + "." + a + "." + b + "." + c);
  for (std::string a : {"s", "u"})
    for (std::string b : {"s", "u"}) {
      for (std::string shape : {"m8n8k16", "m16n8k16", "m16n8k32"})
        add(shape + ".row.col.s32." + a + "8." + b + "8.s32");
      for (std::string shape : {"m8n8k32", "m16n8k32", "m16n8k64"})
        add(shape + ".row.col.s32." + a + "4." + b + "4.s32");
    }
  for (std::string shape : {"m8n8k128", "m16n8k128", "m16n8k256"})
    for (std::string op : {"xor", "and"}) add(shape + ".row.col.s32.b1.b1.s32." + op + ".popc");

  std::set<std::string> found;
  for (const Instruction& i : instructions())
    if (i.family == "mma" && i.mnemonic.find("kind::") == std::string::npos)
      CHECK_MESSAGE(found.insert(i.mnemonic).second, "twice: " << i.mnemonic);
  CHECK(found == expected);
}

TEST_CASE("first versions and targets, by the ISA's notes") {
  struct Need {
    const char *mnemonic, *ptx, *target;
  };
  for (const Need& n : {Need{"m8n8k4.row.col.f16.f16.f16.f16", "6.4", "sm_70"},
                        Need{"m16n8k8.row.col.f32.f16.f16.f32", "6.5", "sm_75"},
                        Need{"m16n8k16.row.col.f32.f16.f16.f32", "7.0", "sm_80"},
                        Need{"m16n8k8.row.col.f32.bf16.bf16.f32", "7.0", "sm_80"},
                        Need{"m16n8k4.row.col.f32.tf32.tf32.f32", "7.0", "sm_80"},
                        Need{"m8n8k4.row.col.f64.f64.f64.f64", "7.0", "sm_80"},
                        Need{"m16n8k16.row.col.f64.f64.f64.f64", "7.8", "sm_90"},
                        Need{"m8n8k16.row.col.s32.s8.u8.s32", "6.5", "sm_75"},
                        Need{"m16n8k32.row.col.s32.u8.s8.s32", "7.0", "sm_80"},
                        Need{"m8n8k128.row.col.s32.b1.b1.s32.xor.popc", "7.0", "sm_75"},
                        Need{"m8n8k128.row.col.s32.b1.b1.s32.and.popc", "7.1", "sm_80"},
                        Need{"m16n8k32.row.col.f32.e4m3.e5m2.f32", "8.4", "sm_89"},
                        Need{"m16n8k32.row.col.f16.e4m3.e5m2.f16", "8.7", "sm_89"},
                        Need{"m16n8k16.row.col.f32.e5m2.e5m2.f32", "8.7", "sm_89"}}) {
    const Instruction* i = find(std::string("mma.sync.aligned.") + n.mnemonic);
    REQUIRE_MESSAGE(i != nullptr, n.mnemonic);
    CHECK(i->ptx == n.ptx);
    CHECK(i->target == n.target);
  }
}
