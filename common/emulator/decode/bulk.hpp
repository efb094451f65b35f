// SPDX-License-Identifier: MIT
// What one bulk copy instruction moves where: cp.async.bulk, cp.reduce.async.bulk, with and without
// a tensor map. Decoded once; execute_bulk.cpp runs it.
//
// Source: PTX ISA 9.2, 9.7.9.25 and 9.7.9.25.5.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/execute/atomic.hpp"
#include "emulator/ptx/type.hpp"

namespace lanescope::emulator {

/// [row + displacement], as an instruction with several addresses keeps them.
struct RowAddress {
  std::uint32_t row = 0xffffffffu;
  std::int64_t displacement = 0;
  bool wide = true;
};

struct BulkPlan {
  enum class Way : std::uint8_t { to_shared, to_global, shared_to_shared };
  static constexpr std::uint32_t kAbsent = 0xffffffffu;
  Way way = Way::to_shared;
  RowAddress destination, source;  // of a tensor copy: the map stands in for the global address
  RowAddress barrier;
  std::uint32_t size = kAbsent;       // rows
  std::uint32_t mask = kAbsent;       // .multicast::cluster
  std::uint32_t byte_mask = kAbsent;  // .cp_mask: which of each 16 bytes
  int ctas = 1;  // .cta_group: with 2 the mbarrier may be the peer CTA's (execute_bulk.cpp)
  int rank = 0;  // of the tensor; 0: no tensor copy
  std::array<std::uint32_t, 5> coordinates{};
  bool has_four_rows = false;  // .tile::gather4, .tile::scatter4: a column and four rows are named
  bool is_im2col = false;
  std::array<std::uint32_t, 3> offsets{kAbsent, kAbsent, kAbsent};  // of W, H, D, 16 bits each
  bool reduces = false;
  AtomicOperation operation = AtomicOperation::add;
  Type type = Type::none;  // of a reduction without a tensor map
};

}  // namespace lanescope::emulator
