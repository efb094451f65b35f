// SPDX-License-Identifier: MIT
// The operations of atom and red.
//
// Source: PTX ISA 9.2, 9.7.13.5 (atom), 9.7.13.7 (red).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "emulator/ptx/type.hpp"

namespace lanescope::emulator {

enum class AtomicOperation : std::uint8_t {
  add,
  bit_and,
  bit_or,
  bit_xor,
  cas,
  exch,
  inc,
  dec,
  min,
  max
};

struct AtomicName {
  std::string_view name;
  AtomicOperation operation;
};

inline constexpr std::array kAtomics{
    AtomicName{"add", AtomicOperation::add},   AtomicName{"and", AtomicOperation::bit_and},
    AtomicName{"or", AtomicOperation::bit_or}, AtomicName{"xor", AtomicOperation::bit_xor},
    AtomicName{"cas", AtomicOperation::cas},   AtomicName{"exch", AtomicOperation::exch},
    AtomicName{"inc", AtomicOperation::inc},   AtomicName{"dec", AtomicOperation::dec},
    AtomicName{"min", AtomicOperation::min},   AtomicName{"max", AtomicOperation::max},
};

bool atomic_exists(AtomicOperation operation, Type type);

/// What memory holds afterwards: `old` is there, b and c are the operands. Patterns of `type`.
std::uint64_t atomic_result(AtomicOperation operation, Type type, std::uint64_t old,
                            std::uint64_t b, std::uint64_t c);
/// The same in global memory, where sums of f32 flush subnormals and those of f64 leave a NaN be.
std::uint64_t global_atomic_result(AtomicOperation operation, Type type, std::uint64_t old,
                                   std::uint64_t b, std::uint64_t c);

}  // namespace lanescope::emulator
