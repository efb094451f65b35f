// SPDX-License-Identifier: MIT
// Swizzles and paddings are tried one after the other; most fail in the first groups of lanes.
#include <algorithm>
#include <bit>
#include <optional>

#include "layout/banks.hpp"
#include "layout/shared_bytes.hpp"

namespace lanescope::layout {
namespace {

constexpr int kMostBits = 5;                // 32 banks
constexpr std::int64_t kMostPadding = 128;  // bytes: after as many the banks repeat

bool one_pass(const SharedMatrix& m, const WarpAccess& access) {
  return each_group(Bytes(m, true), access, [&access](const std::vector<std::uint32_t>& addresses) {
    return passes(addresses, access.bytes) == 1;
  });
}

bool all_in_one(const SharedMatrix& m, const std::vector<WarpAccess>& accesses) {
  return std::all_of(accesses.begin(), accesses.end(),
                     [&m](const WarpAccess& access) { return one_pass(m, access); });
}

int log2_of(std::int64_t number) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number))) - 1;
}

// The widest move of a lane, in bytes.
int widest(const std::vector<WarpAccess>& accesses) {
  int bytes = 1;
  for (const WarpAccess& access : accesses) bytes = std::max(bytes, access.bytes);
  return bytes;
}

std::vector<Remedy> by_swizzle(const SharedMatrix& plain, const std::vector<WarpAccess>& accesses) {
  std::vector<Remedy> found;
  // In what the swizzle counts: bytes, or elements.
  const int unit_bits = plain.layout.of_bytes ? 8 : plain.bits;
  const int least = log2_of(std::max<std::int64_t>(widest(accesses) * 8 / unit_bits, 1));
  const int all = log2_of(cosize(plain.layout) * plain.bits / unit_bits);
  for (int bits = 1; bits <= kMostBits; ++bits)
    for (int base = least; base + 2 * bits <= all; ++base)
      for (int shift = bits; base + shift + bits <= all; ++shift) {
        SharedMatrix tried = plain;
        tried.layout.swizzle = {bits, base, shift};
        // Where the size is no power of two, a swizzle may lead behind the end.
        if (all_in_one(tried, accesses))
          found.push_back({tried, std::max<std::int64_t>(bytes_of(tried) - bytes_of(plain), 0)});
      }
  std::stable_sort(found.begin(), found.end(),
                   [](const Remedy& a, const Remedy& b) { return a.more_bytes < b.more_bytes; });
  std::stable_partition(found.begin(), found.end(),
                        [](const Remedy& r) { return as_tile(r.matrix).has_value(); });
  return found;
}

std::optional<Remedy> by_padding(const SharedMatrix& plain,
                                 const std::vector<WarpAccess>& accesses) {
  const Run run = run_of(plain);
  if (rank(plain.layout) != 2 || run == Run::neither || clash(plain)) return std::nullopt;
  const std::size_t far = run == Run::along_row ? 0 : 1;
  if (!plain.layout.stride.parts[far].is_number()) return std::nullopt;
  const std::int64_t step = std::max<std::int64_t>(widest(accesses) * 8 / plain.bits, 1);
  for (std::int64_t more = step; more * plain.bits / 8 <= kMostPadding; more += step) {
    SharedMatrix tried = plain;
    tried.layout.stride.parts[far].number += more;
    if (all_in_one(tried, accesses)) return Remedy{tried, bytes_of(tried) - bytes_of(plain)};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Remedy> remedies(const SharedMatrix& m, const std::vector<WarpAccess>& accesses,
                             std::size_t most) {
  SharedMatrix plain = m;
  plain.layout.swizzle = {};
  plain.layout.offset = 0;
  std::vector<Remedy> found = by_swizzle(plain, accesses);
  if (found.size() > most) found.resize(most);
  if (const auto padded = by_padding(plain, accesses)) found.push_back(*padded);
  return found;
}

}  // namespace lanescope::layout
