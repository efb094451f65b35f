// SPDX-License-Identifier: MIT
// The five questions, answered while compiling: a map is data, and a kernel generator may ask it at
// no cost. Expected answers from the ISA's m16n8k16 figures, worked out by hand.
#include <doctest/doctest.h>

#include "layout/instruction.hpp"
#include "layout/match.hpp"
#include "layout/mma_table.hpp"
#include "layout/query.hpp"
#include "layout/tables.hpp"

using namespace lanescope::layout;

namespace {

constexpr const MmaShape& shape(int M, int N, int K, int bits) {
  for (const MmaShape& s : kMmaShapes)
    if (s.M == M && s.N == N && s.K == K && s.element_bits == bits) return s;
  throw "no such shape";
}

constexpr Fragment kA = typed('A', ElementType::f16, 16, 16, shape(16, 8, 16, 16).A, 16);
constexpr Fragment kB = typed('B', ElementType::f16, 16, 8, shape(16, 8, 16, 16).B, 16);
constexpr Fragment kD = typed('D', ElementType::f32, 16, 8, shape(16, 8, 16, 16).C, 32);

// 1: element -> holders
static_assert(holders(kA, {9, 5}).size() == 1);
static_assert(holders(kA, {9, 5})[0] == Holder{6, 3, 1, 16});
static_assert(holders(kB, {9, 5})[0] == Holder{20, 3, 1, 16});
static_assert(holders(kD, {9, 5})[0] == Holder{6, 3, 3, 0});
static_assert(holders(kA, {16, 0}).empty());
static_assert(holders(kA, {0, -1}).empty());

// 2: thread and register -> elements
static_assert(elements(kA, 5, 3).size() == 2);
static_assert(elements(kA, 5, 3)[0].element == Element{9, 10});
static_assert(elements(kA, 5, 3)[1].element == Element{9, 11});
static_assert(elements(kA, 5, 3)[1].holder == Holder{5, 7, 3, 16});
static_assert(elements(kA, 5, 4).empty());
static_assert(elements(kA, 32, 0).empty());
static_assert(elements(kA, -1, 0).empty());

// 3: the whole fragment, register by register
static_assert(register_layout(kA).size() == 256);
static_assert(register_layout(kA)[8 * 5 + 3].holder == Holder{5, 3, 1, 16});

// 4: the whole matrix, element by element
static_assert(matrix_layout(kB).size() == 128);
static_assert(matrix_layout(kB)[9 * 8 + 5].holder == Holder{20, 3, 1, 16});

// 5: the details
static_assert(kA.threads() == 32 && kA.registers() == 4 && kA.values_per_register() == 2);
static_assert(kB.registers() == 2 && kD.registers() == 4);

}  // namespace

TEST_CASE("the compiled answers are the table's") {
  const Instruction* i = find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  REQUIRE(i != nullptr);
  CHECK(i->A.element(5, 3) == kA.element(5, 3));
  CHECK(holders(i->B, {9, 5})[0] == holders(kB, {9, 5})[0]);
  CHECK(i->source == "PTX ISA 9.2, 9.7.14.5.8 (.f16, .bf16)");
  CHECK(i->standing == Standing::verified);
  CHECK(i->operand('Q') == nullptr);
  CHECK(i->operand('E') == nullptr);
}

TEST_CASE("names: exact, with modifiers, in parts, and nearly right") {
  const std::string plain = "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32";
  REQUIRE(find(plain) != nullptr);
  CHECK(find("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32") == find(plain));
  CHECK(find("mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64") ==
        find("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"));
  CHECK(find("mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32") == nullptr);
  CHECK(find("mma.sync.aligned.m8n8k4.row.col.satfinite.f64.f64.f64.f64") == nullptr);
  CHECK(find("mma.sync.aligned.m16n8k256.row.col.satfinite.s32.b1.b1.s32.and.popc") == nullptr);
  CHECK(find("") == nullptr);
  CHECK(with_words("mma.sync. m16n8k16 bf16").count() == 1);
  CHECK(with_words("m8n8k4.row f64").count() == 1);
  CHECK(with_words("no such thing").count() == 0);
  CHECK(nearest("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f23", 1)[0] ==
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  CHECK(nearest("m16n8k17 bf16", 1)[0] == "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
  CHECK(nearest("tcgen5.ldd", 1)[0].find("tcgen05.ld.") == 0);
  // Equally near and none of them common: what was verified comes first.
  CHECK(nearest("m8n8.trans movmatrx", 1)[0] == "movmatrix.sync.aligned.m8n8.trans.b16");
  CHECK(nearest("wgma bf17", 2).size() == 2);
  CHECK(nearest("zzzz qqqqq", 2).empty());
}

TEST_CASE("a type is a whole word of the name") {
  CHECK(names_type("mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32", "s4"));
  CHECK(names_type("mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32", "s32"));
  CHECK(!names_type("mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32", "s3"));
  CHECK(!names_type("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "f16"));
}

TEST_CASE("which chips have it") {
  CHECK(runs_on("sm_80", "sm_90a"));
  CHECK(runs_on("sm_80", "sm_80"));
  CHECK(!runs_on("sm_80", "sm_75"));
  CHECK(runs_on("sm_90a", "sm_90a"));
  CHECK(!runs_on("sm_90a", "sm_90"));
  CHECK(!runs_on("sm_90a", "sm_100a"));
  CHECK(runs_on("sm_100a sm_120a", "sm_120a"));
  CHECK(!runs_on("sm_80", "nonsense"));
}
