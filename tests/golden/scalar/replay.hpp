// SPDX-License-Identifier: MIT
// Forms on the emulator, as record.cu runs them on a card.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emulator/machine.hpp"
#include "tests/golden/scalar/form.hpp"

namespace lanescope::golden::scalar {

/// A line of the recording.
struct Recorded {
  std::uint64_t hash = 0;
  Form form;
};
struct Recording {
  std::vector<std::string> provenance;
  std::vector<Recorded> forms;
};
/// Reads a file of tests/golden/scalar; a broken one stops the test.
Recording read_recording(const std::string& file);

class Replay {
 public:
  explicit Replay(emulator::Host host);
  /// A hash of what each form gives, in order; 0 where it does not run, and `why` says so.
  std::vector<std::uint64_t> run(const std::vector<const Form*>& forms);
  std::vector<std::string> why;

 private:
  std::uint64_t launch(const Form& form, const emulator::Kernel* kernel);
  std::uint64_t column_of(Kind kind, int place);

  emulator::Machine machine_;
  std::uint64_t out_ = 0, scratch_ = 0;
  std::map<std::pair<Kind, int>, std::uint64_t> columns_;
};

}  // namespace lanescope::golden::scalar
