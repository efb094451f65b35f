// SPDX-License-Identifier: MIT
// What a memory pool counts. All memory comes from one place; a pool keeps the books as an H200
// does (driver 580.159.04): it reserves whole pieces of 32 MiB, and gives back, at a
// synchronization, what its threshold does not let it keep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

#include "cudart/abi.hpp"

namespace lanescope::cudart {

struct Context;

struct Count {
  std::uint64_t now = 0;
  std::uint64_t most = 0;
  void set(std::uint64_t value) {
    now = value;
    most = std::max(most, value);
  }
};

struct Pool {
  static constexpr std::uint64_t kPieceBytes = std::uint64_t{32} << 20;

  std::map<int, std::uint64_t> flags = {
      {1, 1}, {2, 1}, {3, 1}};  // what may be used again, and when
  std::uint64_t threshold_bytes = 0;
  Count used, reserved;

  void take(std::uint64_t bytes) {
    used.set(used.now + bytes);
    reserved.set(std::max(reserved.now, whole_pieces(used.now)));
  }
  void give_back(std::uint64_t bytes) { used.set(used.now - bytes); }
  /// Keeps what is used, and `bytes` at least.
  void trim(std::uint64_t bytes) {
    if (bytes < reserved.now)
      reserved.set(std::min(reserved.now, whole_pieces(std::max(used.now, bytes))));
  }

 private:
  static std::uint64_t whole_pieces(std::uint64_t bytes) {
    return (bytes + kPieceBytes - 1) / kPieceBytes * kPieceBytes;
  }
};

/// The one that cudaMallocAsync takes from.
cudaMemPool_t current_pool(Context& context);
/// cudaMallocAsync from a pool that there is.
cudaError allocate_from(Context& context, cudaMemPool_t pool, void** pointer, std::size_t bytes,
                        cudaStream_t stream);

}  // namespace lanescope::cudart
