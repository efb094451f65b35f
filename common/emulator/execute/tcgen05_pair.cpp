// SPDX-License-Identifier: MIT
// See tcgen05_pair.hpp.
#include "emulator/execute/tcgen05_pair.hpp"

#include <fmt/format.h>

#include <utility>

#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"
#include "emulator/run/deadlock.hpp"

namespace lanescope::emulator {

Flow tensor_misuse(Warp& w, std::string what, const char* hint, int lane) {
  return fail(w, ErrorCode::illegal_instruction, "tensor-memory", lane, std::move(what), hint);
}

bool same_in_all_lanes(Warp& w, const std::uint32_t* values, const char* what) {
  for (int lane = 1; lane < kLanes; ++lane)
    if (values[lane] != values[0])
      return tensor_misuse(w,
                           fmt::format("the lanes of the warp give 0x{:x} and 0x{:x} as {}",
                                       values[0], values[lane], what),
                           "all 32 must give the same", lane),
             false;
  return true;
}

bool find_ctas(Warp& w, int lane, int ctas, TensorCtas& found) {
  int& known = tensor_memory(*w.cta).ctas;
  if (known != 0 && known != ctas) {
    tensor_misuse(
        w, fmt::format(".cta_group::{} in a kernel that has .cta_group::{}, too", ctas, known),
        "all of a kernel's tcgen05 instructions must say the same", lane);
    return false;
  }
  known = ctas;
  const std::size_t count = w.cta->cluster->ctas.size();
  if (ctas == 2 && (static_cast<std::size_t>(w.cta->rank) | 1) >= count) {
    tensor_misuse(
        w,
        fmt::format(".cta_group::2 in CTA rank {} of a cluster of {}: there is no peer CTA",
                    w.cta->rank, count),
        "launch the kernel with clusters of an even number of CTAs", lane);
    return false;
  }
  found = tensor_ctas(*w.cta, ctas);
  return true;
}

bool all_live(Warp& w, int lane, const TensorCtas& ctas) {
  for (const Cta* cta : ctas)
    if (is_done(*cta)) {
      tensor_misuse(
          w, fmt::format(".cta_group::2, and the peer CTA, of rank {}, has exited", cta->rank),
          "it must stay until all that the pair does is done", lane);
      return false;
    }
  return true;
}

}  // namespace lanescope::emulator
