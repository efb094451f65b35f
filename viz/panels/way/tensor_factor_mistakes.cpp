// SPDX-License-Identifier: MIT
// What else could have been said of scale factors, to be tried: another byte of a word, another
// descriptor, rows laid out otherwise. See tensor_factors.hpp.
#include <fmt/format.h>

#include "panels/way/tensor_factors.hpp"

namespace lanescope::viz {

std::vector<TensorFactors::Try> TensorFactors::tries(const std::vector<Taken>& all, char operand) {
  std::vector<Try> found;
  for (std::size_t k = 1; k < all.size(); ++k) {
    const int should = (all.front().byte + static_cast<int>(k) * all.front().vectors) % 4;
    if (all[k].byte == should) continue;
    found.push_back({"factor-id",
                     fmt::format("{}_ID of tcgen05.mma {} of the sum is {}, it should be {}",
                                 name_of(operand), k + 1, all[k].byte, should),
                     fmt::format("bits {} of the instruction descriptor: which byte of a word is "
                                 "its first chunk's",
                                 operand == 'S' ? "29 and 30" : "4 and 5"),
                     {},
                     true,
                     false});
    break;
  }
  const DescriptorRead* cp =
      fills_.copy(all.front().place, place_of(all.front(), {}, {}, all.front().byte));
  if (cp == nullptr) return found;
  for (const std::uint32_t bytes : {128u, 256u, 512u, 1024u, 2048u}) {
    if (bytes == cp->descriptor.sbo_bytes) continue;
    Try one{"factor-descriptor",
            fmt::format("the descriptor of tcgen05.cp has SBO {} bytes, it should be {}",
                        cp->descriptor.sbo_bytes, bytes),
            "SBO: from 8 rows of 16 bytes to the next 8",
            {},
            false,
            false};
    one.cp.read = [bytes](DescriptorRead& read, std::size_t) { read.descriptor.sbo_bytes = bytes; };
    found.push_back(std::move(one));
  }
  for (const layout::Swizzle mode : layout::kSwizzles) {
    if (mode == cp->descriptor.mode) continue;
    Try one{"factor-descriptor",
            fmt::format("the descriptor of tcgen05.cp has swizzle {}, it should be {}",
                        layout::name(cp->descriptor.mode), layout::name(mode)),
            "bits 61 to 63: 0 none, 2 128B, 4 64B, 6 32B",
            {},
            false,
            false};
    one.cp.read = [mode](DescriptorRead& read, std::size_t) { read.descriptor.mode = mode; };
    found.push_back(std::move(one));
  }
  found.push_back({"factor-rows",
                   fmt::format("{} lies row after row, four bytes each, in shared memory; "
                               "tcgen05.cp.32x128b takes row r from r % 32 * 16 + r / 32 * 4",
                               name_of(operand)),
                   "lay 128 rows out so, 512 bytes, before tcgen05.cp takes them",
                   {},
                   false,
                   true});
  return found;
}

const std::vector<trace::KnownMistake>& known_factor_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"factor-id", "SFA_ID or SFB_ID that does not go on from chunk to chunk of K"},
      {"factor-descriptor", "a stride or swizzle of tcgen05.cp's descriptor of scale factors"},
      {"factor-rows", "scale factors row after row where tcgen05.cp wants them in pieces"},
      {"factor-stale", "scale factors of other chunks of K: no tcgen05.cp has brought the next"},
      {"factor-lanes", "scale factors that are not in each 32 lanes of tensor memory"},
  };
  return all;
}

}  // namespace lanescope::viz
