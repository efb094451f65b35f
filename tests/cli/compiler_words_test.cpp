// SPDX-License-Identifier: MIT
// What a learner is told of a build's output.
#include "cli/compiler_words.hpp"

#include <doctest/doctest.h>

using namespace lanescope::cli;

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

TEST_CASE("what nvcc warns of for every architecture anew is said once") {
  const std::string warned = kWarned,
                    another = "../../lessons/01/exercise.cu(32): warning #63-D: b\n";
  const std::string once = compiler_words(warned, false, "../../lessons/", "lessons/");
  CHECK(compiler_words(warned + warned, false, "../../lessons/", "lessons/") == once);
  CHECK(compiler_words(warned + another + warned, false, "../../lessons/", "lessons/") ==
        once + "lessons/01/exercise.cu(32): warning #63-D: b\n\n");
  // An error behind a warning that was said already is said.
  const std::string error = "../../lessons/01/exercise.cu(33): error: no\n";
  CHECK(compiler_words(warned + warned + error, true, "../../lessons/", "lessons/")
            .find("error: no") != std::string::npos);
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

TEST_CASE("the line of the first error is that of an error, and of the file that is asked about") {
  const std::string words =
      "lessons/01/exercise.cu(31): warning #177-D: no\nrecord.cuh(12): error: no\n"
      "lessons/01/exercise.cu(33): error: expected a \";\"\nlessons/01/exercise.cu(40): error: "
      "no\n";
  CHECK(first_error_line(words, "exercise.cu") == 33);
  CHECK(first_error_line(words, "record.cuh") == 12);
  CHECK(first_error_line(words, "lesson.cu") == 0);
  CHECK(first_error_line("exercise.cu(", "exercise.cu") == 0);
  CHECK(first_error_line("exercise.cu(x): error", "exercise.cu") == 0);
  CHECK(first_error_line("", "exercise.cu") == 0);
}

TEST_CASE("what keeps a compiler from its work is told from a mistake in the source") {
  const auto kept = [](const std::string& line) {
    return not_compiled("[1/2] nvcc a.o\nFAILED: a.o\n" + line + "\nninja: build stopped\n");
  };
  CHECK(kept("ninja: error: opening build log: no").why == "opening build log: no");
  CHECK(kept("ninja: error: opening build log: no").keeps == Keeps::build);
  const NotCompiled full =
      kept("/tmp/a.s: Fatal error: can't write a.o: 'No space left on device'");
  CHECK(full.why == "No space left on device");
  CHECK(full.keeps == Keeps::room);
  CHECK(kept("/usr/bin/ld: final link failed: No space left on device").keeps == Keeps::room);
  const NotCompiled closed = kept("nvcc fatal   : Could not open output file '/tmp/x'");
  CHECK(closed.why == "Could not open output file '/tmp/x'");
  CHECK(closed.keeps == Keeps::folder);
  CHECK(kept("Assembler messages: can't create a.o: Read-only file system").keeps == Keeps::folder);
  const NotCompiled unlinked = kept("/usr/bin/ld: cannot open output file a/b: Permission denied");
  CHECK(unlinked.why == "cannot open output file a/b: Permission denied");
  CHECK(unlinked.keeps == Keeps::folder);
  CHECK(kept("/bin/sh: 1: /usr/bin/nvcc: not found").why == "/usr/bin/nvcc: not found");
  CHECK(kept("/bin/sh: 1: /usr/bin/nvcc: not found").keeps == Keeps::toolkit);
  CHECK(kept("nvcc fatal   : Failed to preprocess host compiler properties.").keeps == Keeps::host);
  const NotCompiled newer = kept(
      "/usr/local/cuda/include/crt/host_config.h:137:2: error: #error -- unsupported GNU version! "
      "gcc "
      "versions later than 15 are not supported! The nvcc flag '-allow-unsupported-compiler' can");
  CHECK(newer.why == "nvcc takes no g++ later than 15");
  CHECK(newer.keeps == Keeps::newer_host);
  const NotCompiled older = kept(
      "/usr/include/x86_64-linux-gnu/bits/mathcalls.h(206): error: exception specification is "
      "incompatible with that of previous function \"rsqrt\" (declared at line 629 of /usr/local");
  CHECK(older.why == "the toolkit does not know this C library's rsqrt");
  CHECK(older.keeps == Keeps::older_toolkit);
  CHECK(kept("nvcc fatal   : Unsupported gpu architecture").keeps == Keeps::older_toolkit);
  CHECK(kept("Killed").keeps == Keeps::memory);
  CHECK(kept("nvcc error   : 'cicc' died due to signal 9 (Kill signal)").keeps == Keeps::memory);
  for (const char* line :
       {"a.cu(3): error: expected a \"]\"", "nvcc error   : 'cicc' died due to signal 11", "",
        "    puts(\"No space left on device\");", "a.cu:3: undefined reference to `f(int)'"})
    CHECK(kept(line).keeps == Keeps::nothing);
}

TEST_CASE("the function that a linker misses is called by its name") {
  CHECK(not_linked("/usr/bin/ld: a.o: in function `g()':\na.cpp:3: undefined reference to "
                   "`f(int)'\na.cpp:4: undefined reference to `h'\n") == "f");
  CHECK(not_linked("a.cpp:4: undefined reference to `h'\n") == "h");
  CHECK(not_linked("undefined reference to `").empty());
  CHECK(not_linked("a.cu(3): error: f is undefined\n").empty());
}

TEST_CASE("the function that a linker finds twice is called by its name") {
  CHECK(linked_twice("/usr/bin/ld: a.o: in function `main':\na.cpp:3: multiple definition of "
                     "`main'; b.o:b.cpp:66: first defined here\ncollect2: error\n") == "main");
  CHECK(linked_twice("multiple definition of `f(int)'; b.o: first defined here\n") == "f");
  CHECK(linked_twice("a.cpp:4: undefined reference to `h'\n").empty());
}

TEST_CASE("a line of kilobytes is cut") {
  const std::string words = compiler_words(std::string(5000, 'm') + "\n", true, "../", "");
  CHECK(words.size() < 100);
  CHECK(words.find(" ...\n") != std::string::npos);
}
