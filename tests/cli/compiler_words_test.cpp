// SPDX-License-Identifier: MIT
// What a learner is told of a build's output.
#include "cli/compiler_words.hpp"

#include <doctest/doctest.h>

using lanescope::cli::compiler_words;

namespace {

// As cmake --build writes it.
constexpr const char* kWarned =
    "-- Configuring done\n"
    "[1/3] nvcc 01_exercise.o\n"
    "../../lessons/01/exercise.cu(31): warning #177-D: variable \"row\" was declared but never "
    "referenced\n"
    "    int row = 1;\n"
    "        ^\n"
    "\n"
    "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
    "\n"
    "[2/3] Linking CXX executable\n"
    "something the linker says\n";

}  // namespace

TEST_CASE("a build that worked says its warnings, and nothing else") {
  CHECK(compiler_words(kWarned, false, "../../lessons/", "lessons/") ==
        "lessons/01/exercise.cu(31): warning #177-D: variable \"row\" was declared but never "
        "referenced\n    int row = 1;\n        ^\n\n");
  CHECK(compiler_words("[1/2] nvcc a.o\n-- done\nloose words\n", false, "x", "y").empty());
}

TEST_CASE("a build that failed says all but what the builder says of itself") {
  const std::string words = compiler_words(
      "[1/2] nvcc a.o\nFAILED: a.o\ncd /b && /usr/bin/nvcc -c a.cu\nIn file included from a.cu:\n"
      "a.cu:3:4: error: no\n\n\nninja: build stopped\n",
      true, "../", "");
  CHECK(words == "In file included from a.cu:\na.cu:3:4: error: no\n\n");
}

TEST_CASE("an error is said to its end, with the name that the reader uses") {
  const std::string name(50, 'm');  // ptx::mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32
  const std::string says =
      "06_naive_hgemm/exercise.cu(45): error: no instance of overloaded function "
      "\"ptx::" +
      name + "\" matches the argument list\n";
  CHECK(compiler_words("../../lessons/" + says, true, "../../lessons/", "lessons/") ==
        "lessons/" + says);
  CHECK(compiler_words(std::string(5000, 'm') + ": error: " + says, true, "../", "").size() < 100);
}

TEST_CASE("a line of kilobytes is cut") {
  const std::string words = compiler_words(std::string(5000, 'm') + "\n", true, "../", "");
  CHECK(words.size() < 100);
  CHECK(words.find(" ...\n") != std::string::npos);
}
