// SPDX-License-Identifier: MIT
// Units of 16 bytes with sixteen elements of 4 or 6 bits, as TMA leaves them in shared memory
// (.b4x16_p64, .b6x16_p32), for ldmatrix, tcgen05.mma and tcgen05.cp.
//
//     |element 0|1|2| ... |15|  padding  |   8 or 12 bytes of 16   ->   a byte each, in its low
//     bits
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanescope::emulator {

inline void unpack_unit(std::byte* unit, int bits) {
  std::array<std::uint8_t, 16> packed, apart;
  std::memcpy(packed.data(), unit, 16);
  for (std::size_t k = 0; k < 16; ++k) {
    const std::size_t first = k * static_cast<std::size_t>(bits);
    const unsigned both = packed[first / 8] | packed[std::min<std::size_t>(first / 8 + 1, 15)] << 8;
    apart[k] = static_cast<std::uint8_t>(both >> first % 8 & ((1u << bits) - 1));
  }
  std::memcpy(unit, apart.data(), 16);
}

// A byte of those, as tcgen05.cp leaves it in tensor memory and tcgen05.mma finds it there: 4 bits
// in the middle, as in registers of mma, 6 in the low ones. What is beside them is not read.
constexpr std::byte in_container(std::byte element, int bits) {
  return bits == 4 ? element << 2 : element;
}
constexpr std::byte of_container(std::byte container, int bits) {
  return bits == 4   ? container >> 2 & std::byte{0x0f}
         : bits == 6 ? container & std::byte{0x3f}
                     : container;
}

}  // namespace lanescope::emulator
