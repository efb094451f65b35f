// SPDX-License-Identifier: MIT
// See wgmma_fetch.hpp.
#include "emulator/execute/wgmma_fetch.hpp"

#include <fmt/format.h>

#include <cstring>

#include "emulator/check/checker.hpp"
#include "emulator/execute/handlers.hpp"
#include "emulator/run/cluster.hpp"

namespace lanescope::emulator {
namespace {

constexpr std::size_t kUnitBytes = 16;

template <class T>
void spread_as(const std::byte* from, std::byte* matrix, int row, int first, int outer) {
  for (int e = 0; e < 16 / static_cast<int>(sizeof(T)); ++e)
    std::memcpy(matrix + static_cast<std::size_t>((first + e) * outer + row) * sizeof(T),
                from + static_cast<std::size_t>(e) * sizeof(T), sizeof(T));
}

}  // namespace

Fetcher::Fetcher(Warp& warp, std::uint64_t bits, int element_bits, bool mn_major,
                 const Actor* reader)
    : warp_(warp),
      from_(*warp.cta),
      reader_(reader),
      descriptor_(layout::decode(bits)),
      major_(mn_major ? layout::Major::MN : layout::Major::K),
      bits_(element_bits) {}

Fetcher::Fetcher(Warp& warp, Cta& from, const layout::Tcgen05Descriptor& descriptor,
                 int element_bits, bool mn_major, const Actor* reader)
    : warp_(warp),
      from_(from),
      reader_(reader),
      wide_(descriptor),
      major_(mn_major ? layout::Major::MN : layout::Major::K),
      bits_(element_bits),
      is_of_warpgroup_(false) {
  if (const auto same = layout::wgmma_of(descriptor)) descriptor_ = *same;
}

bool Fetcher::valid() {
  const std::string why = layout::problem(descriptor_);
  if (why.empty()) return true;
  fail(warp_, ErrorCode::illegal_instruction, "descriptor", 0,
       fmt::format("the matrix descriptor is not valid: {}", why),
       "lanescope descriptor shows what its bits mean");
  return false;
}

std::uint32_t Fetcher::address_of(int mn, int k) const {
  if (wide_.mode == layout::kWideMode) return layout::fetched_byte_wide(wide_, mn, k);
  // Single bits lie as bytes of eight do.
  return bits_ == 1 ? layout::fetched_byte(descriptor_, major_, 8, mn, k / 8)
                    : layout::fetched_byte(descriptor_, major_, bits_, mn, k);
}

const std::byte* Fetcher::find(int mn, int k, int lane) {
  const std::uint32_t at = address_of(mn, k);
  const auto limit = static_cast<std::uint64_t>(warp_.cta->launch->shared_bytes);
  if (std::uint64_t{at} + 16 <= limit) {
    if (reader_ != nullptr && is_of_warpgroup_)
      warp_.cta->check->warpgroups().operand_read(*reader_, *warp_.cta, at);
    else if (reader_ != nullptr)
      warp_.cta->check->read(*reader_, from_, at, unit_bytes_);
    return from_.shared.get() + at;
  }
  fail(warp_, ErrorCode::illegal_address, "out-of-bounds", lane,
       fmt::format("the matrix descriptor leads to shared address 0x{:x}, {} bytes are there", at,
                   limit),
       "check its start address and the two offsets");
  return nullptr;
}

// 16 bytes of one row become a column: element e of them is element (first + e, row).
void Fetcher::spread(const std::byte* from, std::byte* matrix, int row, int first,
                     int outer) const {
  if (bits_ == 1) return spread_as<std::uint32_t>(from, matrix, row, first / 32, outer);
  if (bits_ == 8) return spread_as<std::uint8_t>(from, matrix, row, first, outer);
  if (bits_ == 16) return spread_as<std::uint16_t>(from, matrix, row, first, outer);
  spread_as<std::uint32_t>(from, matrix, row, first, outer);
}

bool Fetcher::fetch_registers(int mn_count, int slabs, bool is_a, std::byte* registers) {
  const auto line = [&](int mn, int slab) {
    const int reg = is_a ? (mn / kPanelRows * slabs + slab) * 2 + mn % kPanelRows / 8
                         : mn / kTileCols * slabs + slab;
    return registers + static_cast<std::size_t>(reg) * kRegisterBytes +
           static_cast<std::size_t>(mn % 8) * kUnitBytes;
  };
  if (!valid()) return false;
  if (major_ == layout::Major::K) {
    for (int mn = 0; mn < mn_count; ++mn)
      for (int slab = 0; slab < slabs; ++slab) {
        const std::byte* from = find(mn, slab * 128 / bits_);
        if (from == nullptr) return false;
        std::memcpy(line(mn, slab), from, kUnitBytes);
      }
    return true;
  }
  const int each = 128 / bits_;  // elements of a unit: of M or N here, of K in a register
  for (int k = 0; k < slabs * each; ++k)
    for (int mn = 0; mn < mn_count; mn += each) {
      const std::byte* from = find(mn, k);
      if (from == nullptr) return false;
      for (int e = 0; e < each; ++e)
        std::memcpy(line(mn + e, k / each) + k % each * bits_ / 8, from + e * bits_ / 8,
                    static_cast<std::size_t>(bits_) / 8);
    }
  return true;
}

bool Fetcher::is_inside(int mn_count, int k_count, int lane, int unit_bytes) {
  unit_bytes_ = static_cast<std::uint32_t>(unit_bytes);
  const int unit = 128 / bits_;
  const bool along_k = major_ == layout::Major::K;
  for (int mn = 0; mn < mn_count; mn += along_k ? 1 : unit)
    for (int k = 0; k < k_count; k += along_k ? unit : 1)
      if (find(mn, k, lane) == nullptr) return false;
  return true;
}

bool Fetcher::fetch_dense(int mn_count, int k_count, bool k_contiguous, std::byte* matrix) {
  if (!valid()) return false;
  const bool along_k = major_ == layout::Major::K;
  const int per_unit = 128 / bits_;
  const int outer = along_k ? mn_count : k_count;
  const int units = (along_k ? k_count : mn_count) / per_unit;
  for (int row = 0; row < outer; ++row) {
    for (int unit = 0; unit < units; ++unit) {
      const std::byte* from = along_k ? find(row, unit * per_unit) : find(unit * per_unit, row);
      if (from == nullptr) return false;
      if (along_k == k_contiguous)
        std::memcpy(matrix + (row * units + unit) * 16, from, 16);
      else
        spread(from, matrix, row, unit * per_unit, outer);
    }
  }
  return true;
}

}  // namespace lanescope::emulator
