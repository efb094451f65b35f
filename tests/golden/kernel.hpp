// SPDX-License-Identifier: MIT
// One instruction in a kernel, to be run on the emulator with registers and shared memory chosen by
// the test. Data only goes in and out: who holds what is the recording's business.
//
//   a thread's slots of 8 bytes     A | B | C or the sum that comes in | E | D | D of a second form
//   behind all threads' slots       what is copied to shared memory before, and back after
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/machine.hpp"
#include "layout/instruction.hpp"

namespace lanescope::golden {

/// Where the operands lie among a thread's slots.
struct Slots {
  int A = 0, B = 0, C = 0, E = 0, D = 0, D2 = 0, count = 0;
};
Slots slots_of(const layout::Instruction& instruction);

/// A block's data: slots and shared memory.
struct Block {
  Slots slots;
  int threads = 32;
  std::vector<std::uint64_t> words;
  std::vector<std::byte> shared;
  std::uint64_t& slot(int thread, int index) {
    return words[static_cast<std::size_t>(thread * slots.count + index)];
  }
};

/// PTX of a kernel around one instruction (mma, mma.sp, wmma): registers in, registers out.
std::string warp_kernel(const layout::Instruction& instruction, int selector);
/// wgmma: A from registers into D, A from shared memory into D2. A 0 descriptor: that form is left
/// out. Descriptors without their start, which is added to the address of the shared memory.
struct Descriptors {
  std::uint64_t A = 0, B = 0;
  bool trans_a = false, trans_b = false;
};
std::string group_kernel(const layout::Instruction& instruction, int selector,
                         const Descriptors& descriptors, int shared_bytes);
/// `body` between reading slots %s0.. (32 bits) and writing them back, with shared memory `tile`.
std::string plain_kernel(std::string_view body, int slots, int shared_bytes);

/// Runs `ptx` on the emulator with a block for each of `blocks`, and stores what it made there.
/// Returns what went wrong, or "".
std::string run(const std::string& ptx, std::vector<Block>& blocks);

// Numbers 0 and 1 as every type has them, and small results back.
std::uint64_t one(layout::ElementType type);
int integer(layout::ElementType type, std::uint64_t bits);

/// A part of an operand: `part` counts thread by thread, low bits first.
void put(Block& block, int first_slot, const layout::Fragment& f, int part, std::uint64_t bits);
std::uint64_t get(Block& block, int first_slot, const layout::Fragment& f, int part);

/// An element of a K-major tile without swizzle that begins at `from`, and that tile's descriptor.
void put_tile(std::vector<std::byte>& shared, std::size_t from, int row_bytes, int bits, int row,
              int k, std::uint64_t number);
std::uint64_t k_major(std::uint32_t start_bytes, int row_bytes);

}  // namespace lanescope::golden
