// SPDX-License-Identifier: MIT
// Where the variables of a module's functions lie: parameters and locals in a frame, shared memory
// in the window of a CTA.
//
//     shared window   | 1 KiB of the driver's, from sm_80 on | what functions use, in every kernel
//                     that calls | the kernel's own | dynamic |
//
// A module's shared variable takes room only in kernels that use it. Dynamic shared memory begins
// at one place in all kernels that call where a called function uses it.
//
// Source: PTX ISA 9.2, 5.1.7 (shared); cudaDevAttrReservedSharedMemoryPerBlock; an H200.
#pragma once

#include <string_view>
#include <vector>

#include "emulator/decode/program.hpp"

namespace lanescope::emulator {

/// Frames first, of functions that are no kernels before all others; then `shared` for the function
/// that is decoded next, since each kernel has its own addresses.
class Placement {
 public:
  Placement(Program& program, std::string_view arch);
  /// Functions whose statements are there now, by their indices in program.functions.
  void add(const std::vector<int>& functions);
  /// A function that is called uses dynamic shared memory: where that begins all kernels decide.
  bool has_common_dynamic() const { return common_dynamic_; }
  void settle();
  void shared(Function& function);

 private:
  struct Uses {
    std::vector<bool> variables;
    bool calls = false;
  };
  Uses uses_of(const PtxFunction& parsed) const;
  void frame(Function& function);
  void put_on_stack(Function& function);
  bool is_entry(const Function& function) const;
  bool counts(const Function& function, std::size_t variable, bool common) const;

  Program& program_;
  std::int64_t reserved_ = 0;
  std::vector<Uses> uses_;           // by Program::functions
  std::vector<bool> common_;         // variables that some function uses that is called
  bool common_dynamic_ = false;      // dynamic shared memory is among them
  std::int64_t dynamic_offset_ = 0;  // then it begins here
};

}  // namespace lanescope::emulator
