// SPDX-License-Identifier: MIT
// The functions of a module become code: all at once, or some now and a kernel when it is asked
// for.
#pragma once

#include <vector>

#include "emulator/decode/decode.hpp"
#include "emulator/decode/place.hpp"
#include "emulator/decode/program.hpp"

namespace lanescope::emulator {

/// Indices in Program::functions.
using FunctionList = std::vector<int>;

class Decoding {
 public:
  /// Lists the functions of program.module. `program` stays where it is.
  explicit Decoding(Program& program);
  /// Where their variables lie. First of all functions that are no kernels: what they use decides
  /// about kernels.
  void place(const FunctionList& functions) { placement_.add(functions); }
  /// All kernels have to be placed before anything is decoded.
  bool wants_all_placed() const { return placement_.has_common_dynamic(); }
  /// What is wrong with one is its Function::refusal.
  void decode(const FunctionList& functions);

 private:
  Program& program_;
  Placement placement_;
  KnownForms forms_;
};

}  // namespace lanescope::emulator
