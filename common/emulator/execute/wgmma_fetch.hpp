// SPDX-License-Identifier: MIT
// One operand of wgmma or tcgen05.mma out of shared memory, as its descriptor says: to registers,
// as the fragments of tensor/fragments.hpp, or to a dense matrix. Two or three units of 16 bytes a
// row, one by one.
//
// Source: PTX ISA 9.2, 9.7.15.5.1 (matrices in shared memory), 9.7.16.4.1 (of tcgen05).
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/tensor/fragments.hpp"
#include "layout/descriptor.hpp"
#include "layout/tcgen05.hpp"

namespace lanescope::emulator {

struct Actor;
struct Cta;
struct Warp;

constexpr std::size_t kRegisterBytes = 4 * kFragmentLanes;

/// `outer` rows of M or N, 32 bytes of K each.
class Fetcher {
 public:
  /// `reader`: who reads, where the launch is checked.
  Fetcher(Warp& warp, std::uint64_t bits, int element_bits, bool mn_major, const Actor* reader);
  /// Of tcgen05, from the shared memory of `from`: the descriptor must be one that it has
  /// (layout::problem).
  Fetcher(Warp& warp, Cta& from, const layout::Tcgen05Descriptor& descriptor, int element_bits,
          bool mn_major, const Actor* reader);

  /// To registers of A (panels of 16 rows, of two registers each) or of B, as fragments.
  bool fetch_registers(int mn_count, int slabs, bool is_a, std::byte* registers);
  /// To a dense matrix. K-contiguous: matrix[mn][k]; otherwise matrix[k][mn].
  bool fetch_dense(int mn_count, int k_count, bool k_contiguous, std::byte* matrix);
  /// Whether all of it is in shared memory; else `lane` fails. The checker hears of the first
  /// `unit_bytes` of each 16.
  bool is_inside(int mn_count, int k_count, int lane, int unit_bytes = 16);

 private:
  bool valid();
  std::uint32_t address_of(int mn, int k) const;
  const std::byte* find(int mn, int k, int lane = 0);
  void spread(const std::byte* from, std::byte* matrix, int row, int first, int outer) const;

  Warp& warp_;
  Cta& from_;
  const Actor* reader_;
  layout::Descriptor descriptor_;
  layout::Tcgen05Descriptor wide_;  // where atoms have 32 bytes
  layout::Major major_;
  int bits_;
  std::uint32_t unit_bytes_ = 16;
  bool is_of_warpgroup_ = true;
};

}  // namespace lanescope::emulator
