// SPDX-License-Identifier: MIT
// What there is to record of one instruction: its text, the registers that it writes with the names
// the learner gave them, and where its lanes' shared-memory addresses are. Made from the statement
// once, when the instruction is first recorded.
#pragma once

#include <string>
#include <vector>

#include "emulator/decode/program.hpp"
#include "trace/event.hpp"

namespace lanescope::emulator {

struct StepPlan {
  struct Register {
    std::string name;   // "%r7"
    std::string watch;  // "A.r0", or ""
    int bits = 32;      // 1, 8, 16, 32 or 64
    std::uint32_t row = kNoRow;
  };
  enum class Addresses : std::uint8_t {
    none,
    operand,      // Instruction::a + immediate
    destination,  // cp.async: Instruction::b + target
    matrix,       // ldmatrix, stmatrix: as operand, of the first 8 lanes a matrix
    fragment,     // wmma.load, wmma.store: of every piece of every lane
  };
  bool made = false;
  std::string text;         // on one line, with its semicolon
  std::string instruction;  // the mnemonic
  int ptx_line = 0;
  trace::SourceLine source;
  std::vector<Register> writes;
  Addresses addresses = Addresses::none;
  bool hands_over = false;  // accumulators of wgmma that were in flight
  bool reduces = false;     // bar.red: written when the barrier opens
};

/// The plan of the instruction at `pc`; empty text for a function's implicit return.
StepPlan make_step_plan(const Program& program, std::uint32_t pc);

/// The register of the function at `pc` that has this row; an empty name when none has.
StepPlan::Register find_register(const Program& program, std::uint32_t pc, std::uint32_t row);

}  // namespace lanescope::emulator
