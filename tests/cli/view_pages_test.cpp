// SPDX-License-Identifier: MIT
// `lanescope view --atlas`, `--swizzle`, `--descriptor` in the terminal: they print what `layout`,
// `swizzle` and `descriptor` print, and refuse what means nothing in one line with exit code 2.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/cli/process.hpp"

using lanescope::test::Outcome;
using lanescope::test::run_lanescope;

namespace {

void same(const std::vector<std::string>& page, const std::vector<std::string>& command) {
  const Outcome seen = run_lanescope(page);
  const Outcome printed = run_lanescope(command);
  CAPTURE(seen.err);
  CHECK(seen.code == 0);
  CHECK(printed.code == 0);
  CHECK(seen.out.size() > 100);
  CHECK(seen.out == printed.out);
}

void refused(const std::vector<std::string>& words, const std::string& reason) {
  const Outcome outcome = run_lanescope(words);
  CAPTURE(outcome.err);
  CHECK(outcome.code == 2);
  CHECK(outcome.out == "");
  CHECK(outcome.err.find("lanescope: ") == 0);
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  CHECK(outcome.err.find(reason) != std::string::npos);
}

}  // namespace

TEST_CASE("a page says in the terminal what its command says") {
  same({"view", "--text", "--atlas", "m16n8", "s4"}, {"layout", "--list", "m16n8", "s4"});
  same({"view", "--text", "--atlas"}, {"layout", "--list"});
  same({"view", "--atlas", "movmatrix", "--text"}, {"layout", "movmatrix"});
  same({"view", "--atlas", "mma.m16n8k8.f32.f16", "--beside", "mma.m16n8k16.f32.f16", "--text"},
       {"layout", "mma.m16n8k8.f32.f16", "--beside", "mma.m16n8k16.f32.f16"});
  same({"view", "--swizzle", "64B", "MN", "32x8", "--text"},
       {"swizzle", "--mode", "64B", "--major", "MN", "--rows", "32", "--cols", "8"});
}

TEST_CASE("a descriptor is tried on its tile") {
  const Outcome outcome = run_lanescope({"view", "--text", "--descriptor", "sbo=512"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("0x4000002000010040") == 0);
  CHECK(outcome.out.find("896 of 1024 elements from wrong bytes") != std::string::npos);
}

TEST_CASE("swizzle and descriptor take the window's words") {
  same({"swizzle", "64B", "MN", "16x64"},
       {"swizzle", "--mode", "64B", "--major", "MN", "--rows", "16", "--cols", "64"});
  same({"swizzle", "128B 8x64", "--csv"}, {"swizzle", "--rows", "8", "--cols", "64", "--csv"});
  same({"descriptor", "128B", "K", "64x64", "sbo=512"},
       {"view", "--descriptor", "128B", "K", "64x64", "sbo=512", "--text"});
  refused({"swizzle", "129B"}, "cannot read '129B'");
  refused({"swizzle", "128B", "--mode", "64B"}, "--mode");
  refused({"descriptor", "banana"}, "cannot read 'banana'");
  refused({"descriptor", "128B", "--decode", "0x0"}, "--decode");
}

TEST_CASE("words that mean nothing are refused") {
  refused({"view", "--text", "--atlas", "wgma", "bf17"}, "near it: wgmma");
  refused({"view", "--atlas", "wgma", "--beside", "mma.m16n8k8.f32.f16"}, "near it: wgmma");
  refused({"view", "--atlas", "mma.m16n8k8.f32.f16", "--beside", "m16n8k16"}, "matches");
  refused({"view", "--atlas", "--beside", "mma.m16n8k8.f32.f16"}, "beside which?");
  refused({"view", "1", "--beside", "mma.m16n8k8.f32.f16"}, "view --atlas WORDS --beside WORDS");
  refused({"view", "--text", "--swizzle", "256B"}, "cannot read '256B'");
  refused({"view", "--text", "--descriptor", "lbo=17"}, "must be a multiple of 16");
  refused({"view", "t.lanes", "--atlas"}, "either --atlas or a trace");
}
