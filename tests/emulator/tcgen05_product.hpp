// SPDX-License-Identifier: MIT
// A product of tcgen05.mma as the tests want it: what it is of, and whether tensor memory holds it
// afterwards.
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/tensor/tensor.hpp"
#include "layout/descriptor.hpp"

namespace lanescope::emulator::test {

struct Product {
  const char* kind = "f16";
  TensorType a = TensorType::f16, b = TensorType::f16, d = TensorType::f32;
  int M = 128, N = 64;
  layout::Swizzle mode = layout::Swizzle::b128;
  bool a_mn = false, b_mn = false;
  bool negates_a = false, negates_b = false;
  bool saturates = false;
  bool adds = true;
  bool lands = true;         // D is what it should be, not what it was
  int d_lane = 0;            // where D begins
  std::uint64_t order = 0;   // of warps: LaunchRequest::seed
  bool stationary = false;   // .ws
  bool a_in_tensor = false;  // from column 256 on
  int ctas = 1;              // .cta_group
  int issuer = 0;            // the CTA of the pair whose thread multiplies
  // With block scaling: chunks of K with a factor each, which bytes the factors are, of which type;
  // whether each 32 lanes of tensor memory have others (and of A that lies there twice each 64).
  // `kind` has .block_scale behind it.
  int vectors = 0;
  int a_byte = 0, b_byte = 0;
  bool ue4m3 = false;
  bool copies_differ = false;
  bool sparse = false;  // .sp: half of K is kept, the metadata lies from column 280 on
  int selector = 0;
  int input_shift = 0;  // scale-input-d
  // .ws: columns of B that count as zeros, of each part of D's: what is repeated, column 0 first, a
  // 1 for zeros. And with which column of B the product begins.
  struct Zeros {
    std::uint64_t descriptor = 0;
    std::string_view patterns[4] = {"0", "0", "0", "0"};
    int shift = 0;
  };
  Zeros zeros = {};
  std::string_view disabled = "";
  std::string_view commit =
      "@%p1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r5];";
  std::string_view pair_commit =
      "@%p1 tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster."
      "b64 [%r5], %h1;";
  std::string_view wait = "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0; @!%p2 bra W;";
};

/// Two elements of 4 bits a byte, without padding.
inline bool has_two_a_byte(const Product& p) {
  return std::string_view(p.kind).substr(0, 4) == "mxf4";
}

/// That lie in shared memory: some more where the product does not begin with the first.
inline int columns_of_b(const Product& p) { return p.N + (p.zeros.shift > 0 ? 64 : 0); }

/// Where a CTA's scale factors lie behind what goes to shared memory, and as columns: 16 words for
/// each lane, of which 4 are SFA's and the next 8 SFB's.
inline constexpr int kFactorWords = 16, kFactorColumn = 264;
/// The metadata's two columns: words 12 and 13 of them, behind the factors'.
inline constexpr int kMetadataWord = 12, kMetadataColumn = 280;

/// Runs it on random numbers, and checks all of D in each CTA.
void check(const Product& p, unsigned seed);

}  // namespace lanescope::emulator::test
