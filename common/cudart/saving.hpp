// SPDX-License-Identifier: MIT
// What `lanescope run --save` asks for: one launch of the program, or into a folder the first one
// of every kernel, taken out of it as it begins, so that it can be run alone, on the emulator and
// on a card. What the files say: launcher/saved_launch.hpp, which reads them.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "cudart/step_selection.hpp"

namespace lanescope::emulator {
class Machine;
}

namespace lanescope::cudart {

struct Binary;
struct Function;
struct LaunchShape;

class Saving {
 public:
  /// What the environment asks for.
  Saving();

  /// Keeps the text of a module while a launch is still to be saved.
  void keep(Binary& binary, std::string_view ptx) const;
  /// Looks at the next launch, and saves it where it is the one.
  void begin(const Function& function, const LaunchShape& shape,
             std::span<const std::byte> parameters, const emulator::Machine& machine);
  /// The last words, when the program ends.
  void finish();
  /// Whether there are no files though they were asked for, which has been said.
  bool is_lost() const { return lost_; }

 private:
  bool is_on() const { return !path_.empty(); }
  void lose(const std::string& why);

  std::string path_;  // FILE.ptx, or a folder; "": nothing is to be saved, or it is done
  bool is_folder_ = false;
  StepSelection selection_;
  int launches_ = 0, saved_ = 0;
  std::set<std::string> kernels_;
  bool lost_ = false;
};

}  // namespace lanescope::cudart
