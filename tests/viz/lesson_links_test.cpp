// SPDX-License-Identifier: MIT
// What of a lesson's page leads somewhere in the window, and where.
#include "panels/lesson/lesson_links.hpp"

#include <doctest/doctest.h>

using namespace lanescope::viz;
using To = LessonLink::To;

namespace {

/// "[A[9][5]>A 9,5]" for what leads somewhere, the rest as it is.
std::string told(std::string_view paragraph) {
  std::string all;
  for (const LessonSpan& span : lesson_spans(paragraph, 5)) {
    const bool leads = span.link.to != To::nowhere;
    all += leads ? "{" + span.words + ">" + span.link.words + "}" : span.words;
  }
  return all;
}

}  // namespace

TEST_CASE("elements lead to themselves, names and sizes do not") {
  CHECK(told("A[9][5] is 905, as D[41][9].") == "{A[9][5]>A 9,5} is 905, as {D[41][9]>D 41,9}.");
  CHECK(told("**B[0][8]** and `C[1][2]`") == "{B[0][8]>B 0,8} and {C[1][2]>C 1,2}");
  for (const char* words : {"D[m][n]", "a[3]", "tile_A[1][2]", "E[1][2]", "A[9]", "A[9][", "A[][1]",
                            "A[12345][1]", "A[1]-[2]"})
    CHECK(told(words) == words);
}

TEST_CASE("what looks at this lesson's run leads there, with its panel and its selection") {
  CHECK(link_of("./learn view 5", 5) == LessonLink{To::view, "", "", ""});
  CHECK(link_of("$ ./learn view 5 --text --select \"A 9,5\"", 5) ==
        LessonLink{To::view, "", "", "A 9,5"});
  CHECK(link_of("./learn view 5 --panel steps   # each instruction", 5) ==
        LessonLink{To::view, "", "steps", ""});
  CHECK(link_of("./learn view 5 --product 2", 5) == LessonLink{To::view, "", "", "", 2});
  CHECK(link_of("./learn view 5 --product 1,4", 5) == LessonLink{To::view, "", "", "", 1, 4});
  CHECK(link_of("--panel pipeline", 5) == LessonLink{To::view, "", "pipeline", ""});
}

TEST_CASE("the atlas, tiles and descriptors take their words along") {
  CHECK(link_of("./learn layout mma.x --operand B --element 9,5", 5) ==
        LessonLink{To::atlas, "mma.x", "", "B 9,5"});
  CHECK(link_of("./learn layout ldmatrix.x", 5) == LessonLink{To::atlas, "ldmatrix.x", "", ""});
  CHECK(link_of("./learn view --atlas m16n8 s4", 5).words == "m16n8 s4");
  CHECK(link_of("./learn view --swizzle \"128B K 16 8x64\"", 5) ==
        LessonLink{To::swizzle, "128B K 16 8x64", "", ""});
  CHECK(link_of("./learn swizzle --mode 128B --rows 8 --cols 64", 5).words == "128B 8x64");
  CHECK(link_of("./learn descriptor --decode 0x4000004000010000", 5) ==
        LessonLink{To::descriptor, "0x4000004000010000", "", ""});
}

TEST_CASE("an exercise in PTX leads to the bench, whichever lesson's it is") {
  const LessonLink link = link_of("./learn watch 5 --ptx   # another one, in PTX alone", 4);
  CHECK(link == LessonLink{To::exercise, "5", "", ""});
  CHECK(does(link) == "puts exercise 5 on the bench");
  for (const char* other :
       {"./learn watch x --ptx", "./learn watch 5 --ptx --ptx", "./learn check 5 --ptx"})
    CHECK_MESSAGE(link_of(other, 5).to == To::nowhere, other);
}

TEST_CASE("what needs a terminal, another trace or another lesson leads nowhere") {
  for (const char* command : {"./learn",
                              "./learn lesson 5",
                              "./learn watch 5",
                              "./learn view 4",
                              "./learn view",
                              "./learn view mine.lanes --panel steps",
                              "./learn run -- build/x --bench",
                              "./learn view 5 --screenshot x.png",
                              "./learn layout --list",
                              "./learn layout",
                              "./learn swizzle --mode 128B --csv | grep 3",
                              "./learn view 5 > x",
                              "./learn view 5 --panel",
                              "./learn view \"5",
                              "view 5",
                              "wgmma.fence",
                              "--no-fence",
                              "",
                              "$ ",
                              "./learn view 5 6"})
    CHECK_MESSAGE(link_of(command, 5) == LessonLink{}, command);
  CHECK(link_of("./learn view 0", 0) == LessonLink{});  // a program that is no lesson
  CHECK(link_of("--panel steps", 0) == LessonLink{});
}
