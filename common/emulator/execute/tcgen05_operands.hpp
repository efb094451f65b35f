// SPDX-License-Identifier: MIT
// What an mma or cp of tcgen05 will read and write, looked at when a thread issues it: whether it
// is there, and whether the checker has something to say. Each false comes with the fault recorded.
//
// Source: PTX ISA 9.2, 9.7.16.2 (tensor memory), 9.7.16.4.1 (matrix descriptors), 9.7.16.10.5.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/check/checker.hpp"
#include "emulator/run/tensor_memory.hpp"

namespace lanescope::emulator {

struct Tcgen05Form;

/// What one thread reads of shared memory: elements of so many bits, rows along M or N.
struct SharedMatrix {
  const char* name;
  int bits, rows, K;
  bool mn_major;
  int unit_bytes = 16;  // that are read of each 16: the rest is padding (unpack_unit.hpp)
};

/// Records the fault under `kind`.
bool tcgen05_misuse(Warp& w, int lane, const char* kind, std::string what, const char* hint);
/// Everything that an operand in shared memory consists of, in each of the CTAs.
bool check_operand(Warp& w, int lane, const TensorCtas& ctas, std::uint64_t bits,
                   const SharedMatrix& matrix, const Actor* reader);
/// So many lanes and columns from an address on.
bool check_tensor(Warp& w, int lane, const TensorAddress& at, int lanes, int columns,
                  const char* name);
/// The lane that D, and A, may begin at.
bool starts_well(Warp& w, int lane, const TensorAddress& at, const Tcgen05Form& form,
                 const char* name);
/// Of 16 lanes each, from the address on.
unsigned chunks_from(const TensorAddress& at, unsigned chunks);
void touch_tensor(const Actor* actor, const TensorCtas& ctas, const TensorRange& range,
                  TensorUse use);

}  // namespace lanescope::emulator
