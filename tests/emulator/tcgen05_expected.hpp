// SPDX-License-Identifier: MIT
// What D of a Product must be, and where its elements lie: shared by the files of check() alone.
#pragma once

#include "tests/emulator/matrix_image.hpp"
#include "tests/emulator/tcgen05_product.hpp"

namespace lanescope::emulator::test {

inline constexpr int kLanesOfMemory = 128;

/// In shared memory; sixteen elements of 4 or 6 bits lie in 16 bytes, packed from their beginning.
int bits_of(TensorType type);

/// Elements that lie in a row of A in shared memory, that A has, and that B has.
int k_stored(const Product& p);
int k_of(const Product& p);
int k_of_b(const Product& p);

struct Place {
  int lane, column;
  int cta = 0;  // of the pair
};
Place place_of_d(const Product& p, int m, int n);

/// What each lane and column, CTA after CTA, must hold afterwards, by the integer model. `kept`:
/// which k each element of A stands for; `in`: what was there before.
Words expected_of(const Product& p, const Words& a, const Words& b, const Words& factors,
                  const Words& kept, const Words& in);

}  // namespace lanescope::emulator::test
