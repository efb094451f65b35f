// SPDX-License-Identifier: MIT
// The lessons' traces from a card against the same programs on the emulator: no difference, down to
// the bits of every lane (docs/trace_format.md says what counts), but for what a race decides.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "tests/build_folder.hpp"
#include "trace/diff.hpp"
#include "trace/reader.hpp"

namespace fs = std::filesystem;
using namespace lanescope;

namespace {

// Lesson 05 reads before its copies have landed, on purpose. On the emulator that is what was there
// before, all ones, and sums of it are NaN; a card may be early. So where the emulator has either,
// the card may have anything; everywhere else the two must agree.
void forget_early_reads(trace::Trace& card, const trace::Trace& emulator) {
  for (trace::Event& event : card.events) {
    auto* early = std::get_if<trace::Fragment>(&event);
    if (early == nullptr) continue;
    for (const trace::Event& other : emulator.events) {
      const auto* late = std::get_if<trace::Fragment>(&other);
      if (late == nullptr || late->place != early->place || late->name != early->name) continue;
      for (std::size_t r = 0; r < late->registers.size(); ++r)
        for (std::size_t lane = 0; lane < late->registers[r].size(); ++lane)
          if (const std::uint64_t word = late->registers[r][lane];
              word == 0xffffffff || word == 0x7fffffff)
            early->registers.at(r).at(lane) = word;
    }
  }
}

}  // namespace

TEST_CASE("every recorded lesson makes on the emulator the trace that it made on the card") {
  const fs::path recorded = LANESCOPE_SOURCE_DIR "/tests/golden/lessons";
  const fs::path made = tests::build_folder() / "tests/golden_lessons";
  fs::create_directories(made);
  int compared = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(recorded)) {
    const std::string file = entry.path().filename().string();
    const std::string name = file.substr(0, file.find(".lanes"));
    const fs::path program = tests::build_folder() / "lessons" / name / name;
    REQUIRE_MESSAGE(fs::exists(program), program.string() << ": a recorded lesson without program");
    const std::string trace = (made / (name + ".lanes")).string();
    const std::string command =
        fmt::format("'{}/bin/lanescope' run -- '{}' --trace '{}' > '{}.out' 2>&1",
                    tests::build_folder().string(), program.string(), trace, trace);
    REQUIRE_MESSAGE(std::system(command.c_str()) == 0, command);
    trace::ReadResult card = trace::read_file(entry.path().string());
    const trace::ReadResult emulator = trace::read_file(trace);
    REQUIRE_MESSAGE(card.ok(), file);
    REQUIRE_MESSAGE(emulator.ok(), trace);
    CHECK_MESSAGE(card.trace.header.producer == "gpu", file);
    if (name == "05_cp_async") forget_early_reads(card.trace, emulator.trace);
    const auto difference = trace::first_difference(card.trace, emulator.trace);
    CHECK_MESSAGE(!difference, name << ": " << (difference ? difference->text : ""));
    ++compared;
  }
  CHECK(compared == 21);
}
