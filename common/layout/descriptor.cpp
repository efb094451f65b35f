// SPDX-License-Identifier: MIT
// The words around a descriptor.
#include "layout/descriptor.hpp"

#include <fmt/format.h>

namespace lanescope::layout {

std::string problem(const Descriptor& d) {
  struct Field {
    const char* what;
    std::uint32_t bytes;
  };
  for (const Field& f :
       {Field{"start", d.start_bytes}, Field{"lbo", d.lbo_bytes}, Field{"sbo", d.sbo_bytes}}) {
    if (f.bytes % 16 != 0) return fmt::format("{} {}: must be a multiple of 16", f.what, f.bytes);
    if (f.bytes > 0x3FFF0) return fmt::format("{} {}: must be at most 262128", f.what, f.bytes);
  }
  if (d.base_offset < 0 || d.base_offset > 7)
    return fmt::format("base {}: must be 0 to 7", d.base_offset);
  return {};
}

// 9.7.15.5.1.2.1.1 and .2
std::string meaning_of_lbo(Swizzle mode, Major major) {
  const int units = units_per_row(mode);
  if (major == Major::K)
    return mode == Swizzle::none  ? "from one 16-byte column of K to the next"
           : mode == Swizzle::b32 ? "wgmma.sp: from 32 bytes of B's K to the next; else not used"
                                  : "not used, taken as 1";
  return mode == Swizzle::none
             ? "from 8 columns of K to the next 8"
             : fmt::format("from {} bytes along MN to the next {}", 16 * units, 16 * units);
}

std::string meaning_of_sbo(Swizzle mode, Major major) {
  if (major == Major::K) return "from 8 rows to the next 8";
  return mode == Swizzle::none ? "from 16 bytes along MN to the next 16"
                               : "from 8 columns of K to the next 8";
}

}  // namespace lanescope::layout
