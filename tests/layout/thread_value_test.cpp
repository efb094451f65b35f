// SPDX-License-Identifier: MIT
// Fragments as layouts from (thread, value): that these are the maps of the atlas, and the other
// way round, which fragment a layout is.
#include "layout/thread_value.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "cute_tables.hpp"
#include "layout/cute_layout.hpp"
#include "layout/query.hpp"
#include "tests/layout/maps.hpp"

namespace lanescope::layout {
namespace {

std::string layout_of(const char* mnemonic, char operand) {
  const Instruction* found = find(mnemonic);
  REQUIRE(found != nullptr);
  const auto layout = thread_value_layout(*found->operand(operand));
  return layout ? text(*layout) : "none";
}

TEST_CASE("every map is the same as a layout of its threads and values") {
  int layouts = 0;
  std::set<std::string> seen;  // many instructions share both: their elements are looked at once
  for (const Instruction& each : instructions())
    for (const char operand : {'A', 'B', 'C', 'D'}) {
      const Fragment* f = each.operand(operand);
      if (f == nullptr) continue;
      CAPTURE(each.mnemonic);
      CAPTURE(operand);
      const auto layout = thread_value_layout(*f);
      REQUIRE(layout.has_value());
      ++layouts;
      if (f->matrices > 1) continue;  // CuTe's tables say it, below
      const CuteLayout threads = mode(*layout, 0), values = mode(*layout, 1);
      REQUIRE(size(threads) == f->threads());
      REQUIRE(size(values) == f->values);
      if (!seen.insert(fingerprint(*f) + text(*layout)).second) continue;
      bool same = true;
      for (int thread = 0; thread < f->threads(); ++thread)
        for (int value = 0; value < f->values; ++value) {
          const std::int64_t index = linear_index(threads, thread) + linear_index(values, value);
          const Element e = f->element(thread, value);
          same = same && element_of(*f, index) == e && index_of(*f, e) == index;
        }
      CHECK(same);
    }
  CHECK(layouts > 1000);
  CHECK(seen.size() > 100);
}

// CuTe counts the columns of a sparse A before compression, twice as many as are kept: every second
// of its values stands for one that is.
std::string in_stored_columns(const CuteLayout& cute, int rows) {
  std::string all;
  const CuteLayout threads = mode(cute, 0), values = mode(cute, 1);
  for (std::int64_t thread = 0; thread < size(threads); ++thread)
    for (std::int64_t value = 0; value < size(values); value += 2) {
      const std::int64_t index = linear_index(threads, thread) + linear_index(values, value);
      all += std::to_string(index % rows + index / rows / 2 * rows) + " ";
    }
  return all;
}
std::string every_index(const CuteLayout& layout) {
  std::string all;
  const CuteLayout threads = mode(layout, 0), values = mode(layout, 1);
  for (std::int64_t thread = 0; thread < size(threads); ++thread)
    for (std::int64_t value = 0; value < size(values); ++value)
      all += std::to_string(linear_index(threads, thread) + linear_index(values, value)) + " ";
  return all;
}

TEST_CASE("the atlas's layouts are those of CuTe's atoms") {
  int compared = 0, complex = 0;
  for (const cute::CuteTable& line : cute::kCuteTables) {
    CAPTURE(std::string(line.atom));
    CAPTURE(line.operand);
    const std::string atom = line.atom;
    if (atom.find("C64") != atom.npos) {  // four instructions of f64 each: none of its own
      ++complex;
      continue;
    }
    const Found found = look_up(atom);
    CHECK_FALSE(found.instructions.empty());
    for (const Instruction* each : found.instructions) {
      CAPTURE(each->mnemonic);
      const Fragment* f = each->operand(line.operand == 'C' ? 'D' : line.operand);
      REQUIRE(f != nullptr);
      const CuteLayout theirs = read_cute_layout(line.layout).layout;
      const auto ours = thread_value_layout(*f);
      REQUIRE(ours.has_value());
      if (line.operand == 'A' && atom.find("SPARSE") != atom.npos)
        CHECK(every_index(*ours) == in_stored_columns(theirs, f->rows));
      else
        CHECK(every_index(*ours) == every_index(theirs));
      ++compared;
    }
    if (atom.rfind("SM70_", 0) == 0)
      CHECK(text(*thread_ids(*found.instructions[0]->operand(line.operand))) == "(4,2):(1,16)");
  }
  CHECK(complex == 15);
  CHECK(compared >= 342);
  for (const cute::CuteCopy& line : cute::kCuteCopies) {
    CAPTURE(std::string(line.atom));
    const Found found = look_up(line.atom);
    REQUIRE(found.movers.size() == 1);
    const bool loads = std::string(line.atom).find("LDSM") != std::string::npos;
    CHECK(text(*thread_bit_layout(*found.movers[0])) == (loads ? line.dst : line.src));
  }
}

TEST_CASE("a layout names the fragments that have it") {
  const auto found = with_layout(read_cute_layout("((4,8),(2,2)):((32,1),(16,8))").layout);
  bool has_d = false;
  for (const OperandOf& each : found) {
    CAPTURE(each.instruction->mnemonic);
    const Fragment& f = *each.instruction->operand(each.operand);
    CHECK(f.threads() == 32);
    CHECK(f.values == 4);
    CHECK(f.element(5, 3) == Element{1 + 8, 1 * 2 + 1, 0});
    has_d = has_d || (each.operand == 'D' && each.instruction->M == 16 && each.instruction->N == 8);
  }
  CHECK(has_d);
  // Another order of the same numbers, and coordinates in other tuples, are the same function.
  const auto same = with_layout(read_cute_layout("((2,2,8),(2,2)):((32,64,1),(16,8))").layout);
  CHECK(same.size() == found.size());
  // Values that are 8 apart are eight rows of a matrix of 16, and the next k of one of 8.
  const auto of_s8 = with_layout(read_cute_layout("((4,8),(2,2)):((32,1),(8,16))").layout);
  CHECK(of_s8.size() >= 2);
  for (const OperandOf& each : of_s8) {
    CAPTURE(each.instruction->mnemonic);
    const Fragment& f = *each.instruction->operand(each.operand);
    CHECK((each.operand == 'B' ? f.cols : f.rows) == 8);
    CHECK(index_of(f, f.element(5, 3)) == 32 + 1 + 8 + 16);
  }
  CHECK(with_layout(read_cute_layout("((4,8),(2,2)):((32,1),(16,4))").layout).empty());
  CHECK(with_layout(read_cute_layout("Sw<1,0,3> o ((4,8),(2,2)):((32,1),(16,8))").layout).empty());
}

TEST_CASE("where no fragment has it, the nearest one is named with the first difference") {
  const auto why = [](const char* text) { return why_none_has(read_cute_layout(text).layout); };
  // The stride of the second k of A, 128, as 64: lanes' values 4 to 7 are somewhere else.
  CHECK(why("((4,8),(2,2,2)):((32,1),(16,8,64))") ==
        "no fragment has this map; nearest is A of mma.sync.aligned.m16n8k16.row.col.f16.f16.f16."
        "f16, 128 of 256 places differ, the first: thread 0, value 4 has the index 64, there it is "
        "128");
  CHECK(why("(32,5):(1,32)") == "no fragment of 32 threads with 5 values each has anything of it");
  CHECK(why("(4,8,2):(1,4,32)").find("this one has 3") != std::string::npos);
  CHECK(why("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)").find("lanescope swizzle") !=
        std::string::npos);
}

/// "2*32 + 1*1 = 65 = 1 + 16*4": the sums, one after the other.
std::vector<long> sums_of(const std::string& line) {
  std::vector<long> sums{0};
  long product = 0;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t used = 0;
    const long number = std::stol(line.substr(at), &used);
    at += used;
    product = product == 0 ? number : product * number;
    if (at < line.size() && line[at] == '*') {
      if (number == 0) at = line.find(' ', at);  // the whole product is nothing
      if (at == line.npos) at = line.size();
      if (number != 0) {
        ++at;
        continue;
      }
    }
    sums.back() += product;
    product = 0;
    if (at < line.size() && line[at + 1] == '=') sums.push_back(0);
    at += 3;
  }
  return sums;
}

TEST_CASE("digits and what they are worth lead to the element, wherever there is a layout") {
  CHECK(sums_of("2*32 + 1*1 + 0*5 = 65 = 1 + 16*4") == std::vector<long>{65, 65, 65});
  CHECK(sums_of("2*32 + 1*1 = 66 = 1 + 16*0") == std::vector<long>{65, 66, 1});
  int said = 0;
  for (const Instruction& instruction : instructions())
    for (const char operand : {'A', 'B', 'C', 'D'}) {
      const Fragment* f = instruction.operand(operand);
      if (f == nullptr) continue;
      for (int place = 0; place < 4; ++place) {
        const int thread = place * 13 % f->threads(), value = place * 5 % std::max(f->values, 1);
        const std::vector<std::string> lines = cute_reasons(*f, thread, value);
        if (lines.empty()) continue;
        CAPTURE(instruction.mnemonic);
        CAPTURE(lines[2]);
        const long index = index_of(*f, f->element(thread, value));
        CHECK(sums_of(lines[2]) == std::vector<long>{index, index, index});
        ++said;
      }
    }
  CHECK(said > 10000);
}

TEST_CASE("some layouts, as numbers") {
  CHECK(text(named_layouts(*find("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"))) ==
        "A      ((4,8),(2,2,2)):((32,1),(16,8,128))    index = m + 16 k\n"
        "       Layout<Shape<Shape<_4,_8>,Shape<_2,_2,_2>>,"
        "Stride<Stride<_32,_1>,Stride<_16,_8,_128>>>\n"
        "B      ((4,8),(2,2)):((16,1),(8,64))    index = n + 8 k\n"
        "       Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_16,_1>,Stride<_8,_64>>>\n"
        "C, D   ((4,8),(2,2)):((32,1),(16,8))    index = m + 16 n\n"
        "       Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_32,_1>,Stride<_16,_8>>>\n");
  CHECK(layout_of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 'A') ==
        "((4,8),(2,2,2)):((32,1),(16,8,128))");
  CHECK(layout_of("wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16", 'D') ==
        "((4,8,4),(2,2,3)):((128,1,16),(64,8,512))");
  CHECK(layout_of("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 'A') == "((4,8),1):((8,1),0)");
  CHECK(cute_cxx(read_cute_layout("((4,8),1):((8,1),0)").layout) ==
        "Layout<Shape<Shape<_4,_8>,_1>,Stride<Stride<_8,_1>,_0>>");
}

}  // namespace
}  // namespace lanescope::layout
