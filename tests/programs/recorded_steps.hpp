// SPDX-License-Identifier: MIT
// A program of the tests, run with one mistake after the other, and the steps of one of its blocks.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "panels/matrix/model.hpp"
#include "tests/build_folder.hpp"
#include "tests/programs/run_process.hpp"
#include "trace/reader.hpp"

namespace lanescope::tests {

struct RecordedSteps {
  std::string program;  // of tests/programs
  std::string which;    // "block=1,1,0"
  std::string arch = "sm_90a";
  std::string file = build_folder() / ("tests/programs/" + program + "." + arch + ".lanes");

  /// Runs it anew, told the name of a mistake.
  Finished record(const std::string& mistake) const { return record_told({mistake}); }
  Finished record_told(const std::vector<std::string>& words) const {
    std::filesystem::remove(file);
    return emulate(build_folder() / "tests/programs/built" / program,
                   {"--arch", arch, "--steps", which, "--trace", file}, words);
  }
  viz::Model model() const {
    trace::ReadResult result = trace::read_file(file);
    REQUIRE_MESSAGE(result.ok(), result.error->message(file));
    return viz::make_model(std::move(result.trace));
  }
};

}  // namespace lanescope::tests
