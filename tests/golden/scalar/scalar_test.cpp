// SPDX-License-Identifier: MIT
// Every scalar form that ptxas takes for sm_90a gives what an H200 gave (README.md of
// tests/golden): the same operands, a hash of all results.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/golden/documents.hpp"
#include "tests/golden/scalar/operands.hpp"
#include "tests/golden/scalar/replay.hpp"
#include "tests/sample.hpp"

namespace lanescope::golden::scalar {
namespace {

const Recording& recorded() {
  static const Recording recording = read_recording("h200.txt.zst");
  return recording;
}

// Sanitized, all forms take minutes: each tenth.
const std::size_t kEach = tests::one_in(10);

// Forms that differ, a line each.
std::string differences(emulator::Host host, std::size_t every) {
  std::vector<const Form*> forms;
  std::vector<std::uint64_t> wanted;
  for (std::size_t n = 0; n < recorded().forms.size(); n += every) {
    forms.push_back(&recorded().forms[n].form);
    wanted.push_back(recorded().forms[n].hash);
  }
  Replay replay(host);
  const std::vector<std::uint64_t> got = replay.run(forms);
  std::string text;
  for (const std::string& line : replay.why) text += line + "\n";
  for (std::size_t n = 0; n < forms.size(); ++n)
    if (got[n] != wanted[n]) text += forms[n]->text + "\n";
  return text;
}

TEST_CASE("the recording says where it comes from, and has the forms") {
  const std::vector<std::string>& lines = recorded().provenance;
  REQUIRE(lines.size() >= 5);
  CHECK(lines[0].find("H200") != std::string::npos);
  CHECK(recorded().forms.size() > 8400);
  std::set<std::string> names;
  for (const Recorded& one : recorded().forms) names.insert(one.form.text);
  CHECK(names.size() == recorded().forms.size());
}

TEST_CASE("the documents say how many forms there are") {
  const std::size_t forms = recorded().forms.size();
  CHECK(says("README.md", forms, "forms of scalar instructions"));
  CHECK(says("docs/emulator.md", forms, "forms have an H200's bits"));
  CHECK(says("tests/golden/README.md", forms, "forms"));
}

TEST_CASE("every form gives the card's bits") {
  CHECK(differences(emulator::best_host(), kEach) == "");
}

TEST_CASE("the handlers for lesser hosts give them, too") {
  for (const emulator::Host host : emulator::hosts())
    if (host != emulator::best_host()) {
      CAPTURE(name(host));
      CHECK(differences(host, 5 * kEach) == "");
    }
}

TEST_CASE("operands are what they are called") {
  const std::vector<std::uint64_t> every = column(Kind::all16, 0);
  CHECK(std::set<std::uint64_t>(every.begin(), every.end()).size() == 65536);
  const auto has = [](Kind kind, std::uint64_t word) {
    const std::vector<std::uint64_t> words = column(kind, 0);
    return std::find(words.begin(), words.begin() + 64, word) != words.begin() + 64;
  };
  for (const std::uint64_t word :
       {0x0ull, 0x80000000ull, 0x00000001ull, 0x007fffffull, 0x00800000ull, 0x7f7fffffull,
        0x7f800000ull, 0xff800000ull, 0x7fc00000ull, 0x7f800001ull, 0x3f800000ull})
    CHECK(has(Kind::f32, word));
  for (const std::uint64_t word : {0ull, 0x7fffffffull, 0x80000000ull, 0xffffffffull})
    CHECK(has(Kind::u32, word));
  for (const std::uint64_t count : {0ull, 31ull, 32ull, 33ull, 64ull, 0xffffffffull})
    CHECK(has(Kind::n32, count));
}

}  // namespace
}  // namespace lanescope::golden::scalar
