// SPDX-License-Identifier: MIT
// Random programs give on the emulator what they gave on an H200, to the last bit of every register
// and of all memory. The generator gives the same text here as where they were recorded.
#include <doctest/doctest.h>

#include "recording.hpp"
#include "replay.hpp"
#include "tests/golden/scalar/operands.hpp"
#include "tests/sample.hpp"

namespace lanescope::golden::random {

// Sanitized, all of them take most of a minute.
const std::size_t kEach = tests::one_in(8);

TEST_CASE("random programs were recorded on a card, and are the same today") {
  const Recording recording = read_recording();
  const Forms forms = sort_forms(form_lines());
  CHECK(recording.programs.size() >= 1000);
  REQUIRE(recording.provenance.size() >= 5);
  CHECK(recording.provenance[0].find("NVIDIA H200") != std::string::npos);
  scalar::Hash hash;
  for (const Recorded& recorded : recording.programs)
    for (const char letter : print(make_program(forms, recorded.seed)))
      hash.add(static_cast<unsigned char>(letter));
  CHECK_MESSAGE(hash.value == recording.text,
                "the generator or the list of forms has changed: record again (README.md)");
}

TEST_CASE("the emulator gives a card's bits for random programs") {
  const Forms forms = sort_forms(form_lines());
  Replay replay;
  const Recording recording = read_recording();
  std::size_t plain = 0;
  for (std::size_t n = 0; n < recording.programs.size(); n += kEach) {
    const Recorded& recorded = recording.programs[n];
    const Outcome outcome = replay.run(make_program(forms, recorded.seed));
    CHECK_MESSAGE(outcome.problem.empty(), recorded.seed << ": " << outcome.problem);
    CHECK_MESSAGE(outcome.hash == recorded.hash, "program " << recorded.seed);
    plain += recorded.is_plain ? 1 : 0;
  }
  MESSAGE("programs: " << recording.programs.size() << ", assembled with -O0: " << plain);
  CHECK(plain * 100 < recording.programs.size());
}

}  // namespace lanescope::golden::random
