// SPDX-License-Identifier: MIT
#include "cudart/binary/ptx_link.hpp"

#include <doctest/doctest.h>

using lanescope::cudart::link_ptx;

namespace {

const std::string kHead = ".version 9.0\n.target sm_80\n.address_size 64\n";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

int times(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE("declarations of what another file defines go, definitions come first") {
  const std::string linked = link_ptx(
      {kHead + ".extern .func f();\n.extern .global .u32 x;\n.visible .entry k() { call f; }",
       kHead + ".visible .global .u32 x = 5;\n.visible .func f() { ret; }"});
  CHECK(times(linked, ".version") == 1);
  CHECK(!contains(linked, ".extern"));
  CHECK(contains(linked, ".visible .func f() ;"));
  CHECK(contains(linked, ".entry k() { call f; }"));
  CHECK(linked.find(".func f() ;") < linked.find(".global .u32 x = 5;"));
  CHECK(linked.find("x = 5;") < linked.find(".entry k()"));
  CHECK(contains(linked, ".visible .func f() { ret; }"));
}

TEST_CASE("what is of one file has a name of its own") {
  const std::string one =
      kHead + ".global .b8 $str[3] = {97, 98};\n.func s() { mov.u64 %d, $str; }";
  const std::string linked = link_ptx({one, one});
  CHECK(times(linked, "$str$0") == 2);
  CHECK(times(linked, "$str$1") == 2);
  CHECK(times(linked, "s$1()") == 2);  // its prototype too
  CHECK(contains(linked, "{97, 98}"));
  CHECK(times(link_ptx({one}), "$str$0") == 0);
}

TEST_CASE("of weak functions and dynamic shared memory the first counts") {
  const std::string one =
      kHead +
      ".extern .shared .align 16 .b8 dyn[];\n.extern .func (.param .b32 r) vprintf"
      "(.param .b64 a);\n.weak .func w() { ret; }";
  const std::string linked = link_ptx({one, one});
  CHECK(times(linked, "dyn[]") == 1);
  CHECK(times(linked, "vprintf") == 1);
  CHECK(times(linked, "w()") == 2);  // prototype and body
}

TEST_CASE("lines of source keep their file") {
  const std::string one =
      kHead +
      ".func f() {\n.loc 1 7 0, function_name $L__info_string0, inlined_at 2 9 1\nret; }\n"
      ".file 1 \"a {.cu\"\n.section .debug_str {\n$L__info_string0:\n.b8 95\n}\n";
  const std::string linked = link_ptx({one, kHead + ".func g() { // } .loc 1\n.loc 1 3 2\n}\n" +
                                                ".file 1 \"b.cu\"\n" + one.substr(kHead.size())});
  CHECK(contains(linked, ".loc 1 7 0, function_name $L__info_string0_0, inlined_at 2 9 1"));
  CHECK(contains(linked,
                 ".loc 10001 7 0, function_name $L__info_string0_10000, inlined_at 10002 9 1"));
  CHECK(contains(linked, ".file 1 \"a {.cu\""));
  CHECK(contains(linked, ".file 10001 \"b.cu\""));
  CHECK(contains(linked, "$L__info_string0_10000:"));
}

TEST_CASE("a quote in a file's name does not end it") {
  const std::string linked = link_ptx(
      {kHead + ".func f() { .pragma \"a\\\"}b\"; ret; }\n", kHead + ".func g() { ret; }\n"});
  CHECK(contains(linked, "\"a\\\"}b\"; ret; }"));
}

TEST_CASE("text that is no PTX is linked without harm") {
  const std::string pieces[] = {"",         "{", "}",     "(((",  "\"",    "/*", "//", ".func",
                                ".entry {", "=", "[;]; ", ".loc", ".file", "a",  "\0 "};
  for (const std::string& first : pieces)
    for (const std::string& second : pieces)
      for (const std::string& third : pieces) (void)link_ptx({first + second + third, third});
  std::string text = kHead + ".visible .func f(.param .b32 a) { .loc 1 2 3\n ret; }";
  for (std::size_t cut = 0; cut < text.size(); ++cut) (void)link_ptx({text.substr(0, cut), text});
  CHECK(link_ptx({}) == "");
}
