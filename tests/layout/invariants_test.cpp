// SPDX-License-Identifier: MIT
// What must hold for every entry of the table, whatever the instruction: the cheap checks that
// catch a wrong stride (docs/errata.md tells which public tables fail them).
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "layout/rows.hpp"
#include "tests/layout/maps.hpp"

using namespace lanescope::layout;

namespace {

template <typename Check>
void for_every_fragment(Check&& check) {
  std::set<std::string> seen;  // equal maps are checked once
  for (const Instruction& i : instructions()) {
    for (const OperandMap& map : operands(i)) {
      if (!seen.insert(fingerprint(*map.fragment)).second) continue;
      CAPTURE(i.mnemonic);
      CAPTURE(operand_name(map.fragment->operand));
      CAPTURE(map.selector);
      check(*map.fragment);
    }
  }
  CHECK(seen.size() >= 150);  // a loop that runs over nothing proves nothing
}

int index_of(const Fragment& f, const Element& e) {
  return (e.matrix * f.rows + e.row) * f.cols + e.col;
}

}  // namespace

TEST_CASE("every map is a bijection, or every element has the same number of copies") {
  for_every_fragment([](const Fragment& f) {
    std::vector<int> copies(static_cast<std::size_t>(f.matrices * f.rows * f.cols));
    for (int thread = 0; thread < f.threads(); ++thread) {
      if (!f.provided_by(thread)) continue;
      for (int value = 0; value < f.values; ++value) {
        const Element e = f.element(thread, value);
        if (!f.contains(e)) FAIL("thread " << thread << " value " << value << " lies outside");
        ++copies[static_cast<std::size_t>(index_of(f, e))];
      }
    }
    REQUIRE(copies.front() >= 1);
    CHECK(std::set<int>(copies.begin(), copies.end()).size() == 1);
  });
}

TEST_CASE("the inverse of the inverse is where we began") {
  for_every_fragment([](const Fragment& f) {
    bool back = true;
    const std::vector<Held> all = register_layout(f);
    // holders() looks at every place; of the large ones a sample is enough
    const std::size_t step = all.size() > 512 ? all.size() / 31 : 1;
    for (std::size_t n = 0; n < all.size(); n += step) {
      const std::vector<Holder> found = holders(f, all[n].element);
      back = back && std::find(found.begin(), found.end(), all[n].holder) != found.end();
    }
    CHECK(back);
  });
}

TEST_CASE("registers and lanes agree with the whole layout") {
  for_every_fragment([](const Fragment& f) {
    std::size_t held = 0;
    bool fits = true;
    for (int thread = 0; thread < f.threads(); ++thread) {
      for (int r = 0; r < f.registers(); ++r) {
        int next_bit = 0;
        for (const Held& one : elements(f, thread, r)) {
          const Holder& h = one.holder;
          fits = fits && h.thread == thread && h.register_index == r;
          fits = fits && h.bit >= next_bit;  // from the low bits up, no two in one place
          fits = fits && (h.bit - f.low_padding) % f.element_bits == 0;
          next_bit = h.bit + f.payload_bits();
          fits = fits && next_bit <= f.register_bits;
          ++held;
        }
      }
    }
    CHECK(fits);
    CHECK(held == register_layout(f).size());
  });
}

TEST_CASE("a register or a lane that there is not holds nothing") {
  for_every_fragment([](const Fragment& f) {
    for (const int none : {-1, -1'000'000, f.registers(), 1'000'000'000})
      CHECK(elements(f, f.thread_match, none).empty());
    for (const int none : {-1, f.threads(), 1'000'000'000}) CHECK(elements(f, none, 0).empty());
    CHECK_FALSE(elements(f, f.thread_match, f.registers() - 1).empty());
  });
}

TEST_CASE("registers x bits = elements") {
  for_every_fragment([](const Fragment& f) {
    if (f.operand == 'S' || f.operand == 'T') return;  // byte-id picks a part of a register
    CHECK(f.registers() * f.register_bits == f.values * f.element_bits);
    CHECK(f.element_bits >= info(f.type).bits);
  });
}

TEST_CASE("the matrix layout has every element once, with its first holder") {
  for_every_fragment([](const Fragment& f) {
    const std::vector<Held> all = matrix_layout(f);
    REQUIRE(all.size() == static_cast<std::size_t>(f.matrices * f.rows * f.cols));
    bool whole = true;
    for (std::size_t n = 0; n < all.size(); ++n) {
      const auto& [holder, element] = all[n];
      whole = whole && index_of(f, element) == static_cast<int>(n) && holder.thread >= 0 &&
              f.element(holder.thread, holder.value) == element;
    }
    CHECK(whole);
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
    for (const Fragment& E : i.E) CHECK(E.rows == i.M);
    CHECK(i.source.rfind("PTX ISA ", 0) == 0);
    CHECK(!i.ptx.empty());
    CHECK(i.target.rfind("sm_", 0) == 0);
    // a card of sm_90a has been recorded (tests/golden holds both sides to it), no other has
    CHECK((i.standing == Standing::verified) == runs_on(i.target, "sm_90a"));
  }
}

TEST_CASE("no mnemonic twice, and each is found by its name") {
  std::set<std::string> names;
  for (const Instruction& i : instructions()) {
    CHECK(names.insert(i.mnemonic).second);
    CHECK(find(i.mnemonic) == &i);
  }
}
