// SPDX-License-Identifier: MIT
// What must hold for every entry of the table, whatever the instruction: the cheap checks that
// catch a wrong stride (docs/errata.md tells which public tables fail them).
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "layout/rows.hpp"

using namespace lanescope::layout;

namespace {

template <typename Check>
void for_every_fragment(Check&& check) {
  int fragments = 0;
  for (const Instruction& i : instructions()) {
    for (const OperandMap& map : operands(i)) {
      CAPTURE(i.mnemonic);
      CAPTURE(map.fragment->operand);
      CAPTURE(map.selector);
      check(i, *map.fragment);
      ++fragments;
    }
  }
  CHECK(fragments >= 280);  // a loop that runs over nothing proves nothing
}

int index_of(const Fragment& f, const Element& e) {
  return (e.matrix * f.rows + e.row) * f.cols + e.col;
}

}  // namespace

TEST_CASE("every map is a bijection, or every element has the same number of copies") {
  for_every_fragment([](const Instruction&, const Fragment& f) {
    std::vector<int> copies(static_cast<std::size_t>(f.matrices * f.rows * f.cols));
    for (int thread = 0; thread < f.threads(); ++thread) {
      if (!f.provided_by(thread)) continue;
      for (int value = 0; value < f.values; ++value) {
        const Element e = f.element(thread, value);
        REQUIRE(f.contains(e));
        ++copies[static_cast<std::size_t>(index_of(f, e))];
      }
    }
    REQUIRE(copies.front() >= 1);
    CHECK(std::set<int>(copies.begin(), copies.end()).size() == 1);
  });
}

TEST_CASE("the inverse of the inverse is where we began") {
  for_every_fragment([](const Instruction&, const Fragment& f) {
    if (f.rows * f.cols > 2048) return;  // the largest wgmma tiles: holders() is a scan
    for (const Held& held : register_layout(f)) {
      bool back = false;
      for (const Holder& h : holders(f, held.element)) back = back || h == held.holder;
      REQUIRE(back);
    }
  });
}

TEST_CASE("registers and lanes agree with the whole layout") {
  for_every_fragment([](const Instruction&, const Fragment& f) {
    std::size_t held = 0;
    for (int thread = 0; thread < f.threads(); ++thread) {
      for (int r = 0; r < f.registers(); ++r) {
        int next_bit = -1;
        for (const Held& one : elements(f, thread, r)) {
          CHECK(one.holder.thread == thread);
          CHECK(one.holder.register_index == r);
          CHECK(one.holder.bit > next_bit);  // from the low bits up, no two in one place
          CHECK(one.holder.bit % f.element_bits == 0);
          CHECK(one.holder.bit + f.element_bits <= f.register_bits);
          next_bit = one.holder.bit;
          ++held;
        }
      }
    }
    CHECK(held == register_layout(f).size());
  });
}

TEST_CASE("registers x bits = elements") {
  for_every_fragment([](const Instruction&, const Fragment& f) {
    if (f.first_value != 0 || f.operand == 'E') return;  // part of a register only
    CHECK(f.registers() * f.register_bits == f.values * f.element_bits);
    CHECK(f.element_bits >= info(f.type).bits);
  });
}

TEST_CASE("the matrix layout has every element once, with its first holder") {
  for_every_fragment([](const Instruction&, const Fragment& f) {
    const std::vector<Held> all = matrix_layout(f);
    REQUIRE(all.size() == static_cast<std::size_t>(f.matrices * f.rows * f.cols));
    for (std::size_t n = 0; n < all.size(); ++n) {
      REQUIRE(index_of(f, all[n].element) == static_cast<int>(n));
      REQUIRE(all[n].holder.thread >= 0);
      REQUIRE(f.element(all[n].holder.thread, all[n].holder.value) == all[n].element);
    }
  });
}

TEST_CASE("shapes: A is M x K, B K x N, C and D M x N; a sparse A keeps half of K") {
  for (const Instruction& i : instructions()) {
    CAPTURE(i.mnemonic);
    if (const Fragment* A = i.operand('A')) {
      CHECK(A->rows == i.M);
      CHECK(A->cols == (i.E.empty() ? i.K : i.K / 2));
    }
    if (const Fragment* B = i.operand('B')) {
      CHECK(B->rows == i.K);
      CHECK(B->cols == i.N);
    }
    for (char letter : {'C', 'D'}) {
      if (const Fragment* f = i.operand(letter)) {
        CHECK(f->rows == i.M);
        CHECK(f->cols == i.N);
      }
    }
    CHECK(i.source.rfind("PTX ISA ", 0) == 0);
    CHECK(!i.ptx.empty());
    CHECK(i.target.rfind("sm_", 0) == 0);
    CHECK(i.standing != Standing::verified);  // needs a recorded GPU trace; there is none yet
  }
}

TEST_CASE("no mnemonic twice, and each is found by its name") {
  std::set<std::string> names;
  for (const Instruction& i : instructions()) {
    CHECK(names.insert(i.mnemonic).second);
    CHECK(find(i.mnemonic) == &i);
  }
}
