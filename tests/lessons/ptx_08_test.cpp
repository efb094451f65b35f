// SPDX-License-Identifier: MIT
// Exercise 08 in PTX is sound; see ptx_exercise.hpp.
#include <doctest/doctest.h>

#include "tests/lessons/ptx_exercise.hpp"

using namespace lanescope::lessons_test;

namespace {
const PtxExercise& exercise() {
  static const PtxExercise one("08_sass");
  return one;
}

const char *const kLower = "{%l0, %l1, %l2, %l3}, {%u0, %u2}",
                  *const kUpper = "{%h0, %h1, %h2, %h3}, {%u1, %u3}";
}  // namespace

// Worked out here, not by the kernel: B has its 8 columns one after the other.
TEST_CASE("exercise 08 in PTX: D is A * B + C") {
  for (const Memories& m : exercise().solved())
    for (std::size_t row = 0; row < 16; ++row)
      for (std::size_t col = 0; col < 8; ++col) {
        double sum = m[2][row * 8 + col];
        for (std::size_t k = 0; k < 32; ++k) sum += m[0][row * 32 + k] * m[1][col * 32 + k];
        CHECK(m[3][row * 8 + col] == sum);
      }
}

TEST_CASE("exercise 08 in PTX: what the solution does is what ptxas was seen to do") {
  const std::string listing = shipped("lessons/08_sass/listings/sm_90a.inc");
  const std::size_t begins = listing.find("\n[multiply_e4m3]");
  const std::string kernel = listing.substr(begins, listing.find("\n[", begins + 1) - begins);
  const std::string body = exercise().solution().substr(exercise().solution().find("\n{"));
  const auto count = [](const std::string& text, const std::string& word) {
    int times = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; ++at) ++times;
    return times;
  };
  CHECK(count(kernel, " F2FP.F16.E4M3.UNPACK_B ") == 12);
  CHECK(count(body, " cvt.rn.f16x2.e4m3x2 ") == 12);
  CHECK(count(kernel, " HMMA.16816.F32 ") == 2);
  CHECK(count(body, " mma.sync.aligned.m16n8k16.") == 2);
  CHECK(count(kernel, " FADD ") == 4);
  CHECK(count(body, " add.f32 ") == 4);
}

TEST_CASE("exercise 08 in PTX: other right answers") {
  // k 0 to 15, then k 16 to 31: the same k in A and in B, if not where m16n8k16 has them.
  exercise().passes("registers_apart", {{kLower, "{%l0, %l1, %h0, %h1}, {%u0, %u1}"},
                                        {kUpper, "{%l2, %l3, %h2, %h3}, {%u2, %u3}"}});
  exercise().passes("halves_exchanged", {{kLower, "{%h0, %h1, %l0, %l1}, {%u1, %u0}"},
                                         {kUpper, "{%h2, %h3, %l2, %l3}, {%u3, %u2}"}});
  // C is where the sums begin: other additions, of whole numbers all exact.
  exercise().passes(
      "begins_with_c",
      {{"{%l0, %l1, %l2, %l3}, {%u0, %u2}, {%d0, %d1, %d2, %d3};",
        "{%l0, %l1, %l2, %l3}, {%u0, %u2}, {%c0, %c1, %c2, %c3};"},
       {"add.f32 %d0, %d0, %c0;\nadd.f32 %d1, %d1, %c1;\nadd.f32 %d2, %d2, %c2;\nadd.f32 %d3, "
        "%d3, %c3;",
        ""}});
}

TEST_CASE("exercise 08 in PTX: other k") {
  exercise().fails("b_in_order", {{"{%u0, %u2}", "{%u0, %u1}"}, {"{%u1, %u3}", "{%u2, %u3}"}},
                   "its k is in another order than that of B: k 16 is multiplied by B's k 2");
  exercise().fails(
      "b_in_order_and_swapped",
      {{kLower, "{%l0, %l1, %h0, %h1}, {%u0, %u2}"}, {kUpper, "{%l2, %l3, %h2, %h3}, {%u1, %u3}"}},
      "its k is in another order than that of B: k 2 is multiplied by B's k 16");
  exercise().fails("b_turned", {{"{%u0, %u2}", "{%u2, %u0}"}, {"{%u1, %u3}", "{%u3, %u1}"}},
                   "its k is in another order than that of B: k 0 is multiplied by B's k 16");
  exercise().fails(
      "upper_ones_of_b_first",
      {{kUpper, "{%h0, %h1, %h2, %h3}, {%u0, %u2}"}, {kLower, "{%l0, %l1, %l2, %l3}, {%u1, %u3}"}},
      "A is at k 2, 3, 6, 7, ..., but B at k 0, 1, 4, 5, ...");
  exercise().fails("lower_ones_twice", {{kUpper, "{%l0, %l1, %l2, %l3}, {%u0, %u2}"}},
                   "k 0, 1, 4, 5, ... of A and B is added twice");
  exercise().fails(
      "rows_for_k",
      {{kLower, "{%l0, %h0, %l1, %h1}, {%u0, %u1}"}, {kUpper, "{%l2, %h2, %l3, %h3}, {%u2, %u3}"}},
      "A.r1.lo: A[8][0] belongs there, it is A[0][2]");
}

TEST_CASE("exercise 08 in PTX: other mistakes") {
  exercise().fails("not_unpacked", {{"{%u0, %u2}", "{%b0, %b1}"}},
                   "its k is in another order than that of B: k 4 is multiplied by B's k 2");
  exercise().fails("halves_of_one_register", {{"mov.b32 {%p, %q}, %b1;\n", ""}},
                   "B of product 1: not one of the known mistakes");
  exercise().fails("no_c",
                   {{"add.f32 %d0, %d0, %c0;\nadd.f32 %d1, %d1, %c1;\nadd.f32 %d2, %d2, "
                     "%c2;\nadd.f32 %d3, %d3, %c3;",
                     ""}},
                   "elements are not what the task wants");
  exercise().fails("c_twice",
                   {{"{%l0, %l1, %l2, %l3}, {%u0, %u2}, {%d0, %d1, %d2, %d3};",
                     "{%l0, %l1, %l2, %l3}, {%u0, %u2}, {%c0, %c1, %c2, %c3};"}},
                   "elements are not what the task wants");
  exercise().fails("begins_anew",
                   {{"{%h0, %h1, %h2, %h3}, {%u1, %u3}, {%d0, %d1, %d2, %d3};",
                     "{%h0, %h1, %h2, %h3}, {%u1, %u3}, {%c0, %c1, %c2, %c3};"},
                    {"add.f32 %d0, %d0, %c0;\nadd.f32 %d1, %d1, %c1;\nadd.f32 %d2, "
                     "%d2, %c2;\nadd.f32 %d3, %d3, %c3;",
                     ""}},
                   "nothing reads these sums: no mma adds to them, and they are not stored");
  // Right, and not what was asked for.
  exercise().fails("the_one_line", R"(
  mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
    {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3};
)",
                   "the answer has no mma.sync.aligned.m16n8k16, which the task asks for");
}
