// SPDX-License-Identifier: MIT
// The parts of check() of a Product: the kernel that multiplies, and what its memories hold. Not
// here: what D must be (tcgen05_expected.hpp).
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "tests/emulator/matrix_image.hpp"
#include "tests/emulator/tcgen05_expected.hpp"
#include "tests/emulator/tcgen05_product.hpp"

namespace lanescope::emulator::test {

inline constexpr int kSharedBytes = 64 * 1024;
inline constexpr std::uint32_t kStartB = 32 * 1024;
/// Of a CTA: what goes to shared memory, and behind it the words of each lane.
inline constexpr int kImageBytes = kSharedBytes + kLanesOfMemory * kFactorWords * 4;

/// The kernel; `columns` of tensor memory are allocated.
std::string kernel_of(const Product& p, int columns);

/// Every lane's words of scale factors, CTA after CTA: the same in each 32 lanes, as the ISA wants
/// it, unless the test asks for others.
Words random_factors(const Product& p, std::mt19937& random);
/// Which k each kept element of each row stands for, drawn, and the metadata that says it, in the
/// words behind the factors.
Words draw_kept(const Product& p, Words& factors, std::mt19937& random);
/// Elements of 4 bits, two a byte, the first in the low half.
Words in_bytes(const Words& nibbles);
/// The rows of A, or of B, that one CTA has, in shared memory.
void put(std::vector<std::byte>& image, std::uint32_t start, const Product& p, bool is_a,
         const Words& matrix);
/// A in tensor memory, row by row: of a pair's M 128 twice, from `first` on.
void put_in_lanes(std::vector<std::byte>& image, const Product& p, const Words& matrix, int first);

}  // namespace lanescope::emulator::test
