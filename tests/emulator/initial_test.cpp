// SPDX-License-Identifier: MIT
// The values that variables begin with, and what ptxas (13.0) refuses of them.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/emulator/snippet.hpp"

namespace lanescope::emulator::test {
namespace {

std::string with_variables(std::string_view text) {
  return ".version 9.0\n.target sm_80\n.address_size 64\n.global .b32 g[4];\n.shared .b32 "
         "sh[4];\n" +
         std::string(text) + "\n.visible .entry k() { ret; }\n";
}

std::string refusal(std::string_view variables) {
  return Machine({}).load(with_variables(variables), "program.ptx").error.message;
}

// The words of a variable named `v` that begins so.
std::vector<std::uint32_t> words_of(std::string_view declaration) {
  Machine machine({});
  const auto module = machine.load(with_variables(declaration), "program.ptx");
  REQUIRE_MESSAGE(module.ok(), module.error.message);
  const auto found = machine.find_variable(module.value, "v");
  REQUIRE(found.ok());
  std::vector<std::uint32_t> words(found.value.bytes / 4);
  std::memcpy(words.data(), reinterpret_cast<const void*>(found.value.address), words.size() * 4);
  return words;
}

using Words = std::vector<std::uint32_t>;

}  // namespace

// The answers are an H200's (driver 580.159.04), where there are lists: what an inner one leaves
// out is not skipped.
TEST_CASE("variables begin with lists as deep as they are") {
  CHECK(words_of(".global .b32 v[2][3] = {{1, 2}, {3}};") == Words{1, 2, 3, 0, 0, 0});
  CHECK(words_of(".global .b32 v[][2] = {{1}, {}, {2, 3}};") == Words{1, 2, 3, 0, 0, 0});
  CHECK(words_of(".global .b32 v[3] = {7};") == Words{7, 0, 0});
  CHECK(words_of(".global .v2 .b32 v[2] = {{1, 2}, {3, 4}};") == Words{1, 2, 3, 4});
  CHECK(words_of(".global .u32 v[3] = {1<<4, (3), WARP_SZ-1};") == Words{16, 3, 31});
  CHECK(words_of(".global .f32 v[3] = {0f7fa00000, 1.5*2.0, -1.5};") ==
        Words{0x7fa00000, 0x40400000, 0xbfc00000});
  CHECK(words_of(".global .f32 v[2] = {.5, -.25};") == Words{0x3f000000, 0xbe800000});
  CHECK(words_of(".global .u32 v[2] = {~0, -1};") == Words{~0u, ~0u});
  const Words address = words_of(".global .u64 v[2] = {g+4+2*4, generic(g)+16-4};");
  CHECK(address[0] == address[2]);
  CHECK(address[1] == address[3]);
}

TEST_CASE("values that a variable cannot begin with") {
  const std::pair<const char*, const char*> wrong[] = {
      {".global .b32 v[2][2] = {1, 2, 3, 4};", "the values of v should be in braces here"},
      {".global .b32 v[2] = 1;", "the values of v should be in braces here"},
      {".global .b32 v = {1};", "one value should be here, without braces"},
      {".global .u32 v[2] = {1, 2, 3};", "v has more values than elements"},
      {".global .b32 v[2] = {1,};", "'}' should be a number"},
      {".global .v2 .b32 v = {1};", "a vector of v needs 2 values"},
      {".global .f32 v = 1;", "v is .f32 and cannot begin with a whole number"},
      {".global .u32 v = 1.5;", "v is .u32 and cannot begin with a real number"},
      {".global .f16 v = 1.5;", "declare it .b16"},
      {".shared .b32 v = 1;", "variables of .global and .const can"},
      {".extern .global .b32 v = 1;", "variables of .global and .const can"},
      {".global .b64 v = g;", "an address needs a variable of .u64, v is .b64"},
      {".global .f32 v = g;", "an address needs a variable of .u64, v is .f32"},
      {".global .u64 v = sh;", "sh should be a variable of .global or .const"},
      {".global .u64 v = later; .global .b32 later;", "that is declared before"},
      {".global .u64 v = g-4;", "'-' should be ';'"},
      {".global .u8 v[2] = {0xff0(g)};", "the mask of an address should be 0xff"},
      {".section .debug_line { .b8 1; }", "';' has no place in a .section"},
      {".section .debug_line { L: .b32 L-4 }", "a label is subtracted from a label"},
  };
  for (const auto& [text, message] : wrong) {
    CAPTURE(text);
    CHECK_MESSAGE(contains(refusal(text), message), refusal(text));
    if (has_ptxas()) CHECK(refusal_of_ptxas(with_variables(text), "sm_80") != "");
  }
  std::string deep = ".global .b32 v";
  for (int k = 0; k < 1000; ++k) deep += "[1]";
  CHECK(contains(refusal(deep + ";"), "too many dimensions"));
}

}  // namespace lanescope::emulator::test
