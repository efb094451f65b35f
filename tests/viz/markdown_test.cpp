// SPDX-License-Identifier: MIT
// A lesson's Markdown as words: marks go, products and elements stay.
#include "panels/lesson/markdown.hpp"

#include <doctest/doctest.h>

using namespace lanescope::viz;

TEST_CASE("marks go, words stay") {
  CHECK(plain("it *starts* a **copy** of `16` bytes") == "it starts a copy of 16 bytes");
  CHECK(plain("**cp.async.wait_group N** waits") == "cp.async.wait_group N waits");
  CHECK(plain("see [the glossary](../../docs/glossary.md).") == "see the glossary.");
  CHECK(plain("[**both**](a) and [`code`](b)") == "both and code");
}

TEST_CASE("strong words and code are kinds of their own") {
  const auto told = [](std::string_view line) {
    std::string all;
    for (const Span& span : spans_of(line))
      all += "|" + std::to_string(static_cast<int>(span.ink)) + span.words;
    return all;
  };
  CHECK(told("a **warp** has `32` lanes") == "|0a |1warp|0 has |232|0 lanes");
  CHECK(told("**cp.async**. Then") == "|1cp.async|0. Then");
  CHECK(told("*one* [`code`](x), [words](y)") == "|0one |2code|0, words");
  CHECK(told("`**not strong**`") == "|2**not strong**");
  CHECK(told("**strong `code` again**, then not") == "|1strong |2code|1 again|0, then not");
  CHECK(told("**`.trans`** transposes") == "|2.trans|0 transposes");
  CHECK(told("").empty());
}

TEST_CASE("a star between numbers or in code is a product, a bracket alone an element's") {
  CHECK(plain("D = A*B + C, 2 * 3, `a * *b`") == "D = A*B + C, 2 * 3, a * *b");
  CHECK(plain("A[9][5] is in [the map](x), B[k][n] not") == "A[9][5] is in the map, B[k][n] not");
}

TEST_CASE("what is not closed is left as it is, or loses no words") {
  CHECK(plain("[open") == "[open");
  CHECK(plain("[open](address") == "[open](address");
  CHECK(plain("**") == "");
  CHECK(plain("`") == "");
  CHECK(plain("") == "");
}

TEST_CASE("a picture's place stays empty: the window has its own") {
  CHECK(plain("![The ring against time](../../docs/images/pipeline.png)") == "");
  CHECK(plain("so: ![a](b) and [c](d)") == "so:  and c");
  CHECK(plain("no picture![1] of `![x](y)`") == "no picture![1] of ![x](y)");
}

TEST_CASE("a line of a table has cells") {
  CHECK(cells_of("| `cp.async` | starts one copy |") ==
        std::vector<std::string>{"`cp.async`", "starts one copy"});
  CHECK(cells_of("| | |") == std::vector<std::string>{"", ""});
  CHECK(cells_of("|---|---|") == std::vector<std::string>{"---", "---"});
  CHECK(cells_of("| unfinished").empty());
  CHECK(cells_of("|").empty());
}

TEST_CASE("what stands in a line of a table is said with the names of its columns") {
  const auto row = [](const char* line, const char* columns) {
    return behind_first(cells_of(line), cells_of(columns));
  };
  CHECK(row("| K-major | next 8 | not used |", "| | LBO | SBO |") == "LBO: next 8; SBO: not used");
  CHECK(row("| a | b | c |", "| | | |") == "b; c");
  CHECK(row("| a | b | c |", "") == "b; c");
  CHECK(row("| a | b | c |", "| | B |") == "B: b; c");
  CHECK(row("| a |", "| | B |").empty());
}

TEST_CASE("items of a list are numbered") {
  CHECK(is_numbered("1. **Predict**"));
  CHECK(is_numbered("12. twelve"));
  CHECK_FALSE(is_numbered("1.5 ticks"));
  CHECK_FALSE(is_numbered(". nothing"));
  CHECK_FALSE(is_numbered("12"));
  CHECK_FALSE(is_numbered(""));
}
