// SPDX-License-Identifier: MIT
// What `lanescope run --trace`, `--steps` and `--fidelity` ask for: the launches of the program,
// the steps of one of them, and what went wrong go to a trace; how exact each executed instruction
// was goes to stderr when the program ends.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "cudart/step_selection.hpp"
#include "emulator/machine.hpp"
#include "emulator/record/step.hpp"
#include "trace/writer.hpp"

namespace lanescope::cudart {

class Tracing {
 public:
  /// What the environment asks for; `arch` is the emulated card's.
  explicit Tracing(const std::string& arch);

  /// Sets up the request of the next launch of `kernel` on `machine`.
  void begin(const std::string& kernel, const emulator::Machine& machine,
             emulator::LaunchRequest& request);
  /// Takes down what came of it. Of a launch that failed before it began, `report` has the error.
  void end(const emulator::LaunchReport& report);
  /// An instruction that the emulator refused.
  void refused(const std::string& why);
  /// The program counts on how many blocks of a kernel fit, and nobody knows its registers.
  void counted_without_registers(const std::string& kernel);
  /// The last words, when the program ends.
  void finish();
  /// Whether there is no whole trace in the file that was asked for, which has been said.
  bool is_lost() const { return lost_; }

 private:
  void write();
  void record(const emulator::LaunchRequest& request);
  void look_for_products(const emulator::LaunchReport& report);
  static void take(void* context, const trace::Event& event);
  void print_fidelity() const;

  std::unique_ptr<trace::Writer> writer_;
  bool records_steps_ = false, shows_fidelity_ = false, recorded_ = false, full_ = false,
       lost_ = false;
  std::uint64_t seed_ = 0;
  StepSelection selection_;
  emulator::StepRequest steps_;
  int launches_ = 0;
  bool should_multiply_ = false;  // the block whose steps are recorded
  std::set<std::string> kernels_;
  std::map<std::string, emulator::Executed> executed_;
  std::set<std::string> refused_;
  std::set<std::string> without_registers_;
  std::set<std::tuple<std::string, std::string, int>> reported_;  // kind, file, line of PTX
};

}  // namespace lanescope::cudart
