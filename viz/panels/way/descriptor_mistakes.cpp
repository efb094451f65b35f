// SPDX-License-Identifier: MIT
// The mistakes of descriptors and tensor copies that descriptor_origins.hpp knows: each is what
// would have been right instead. What LBO and SBO mean: layout/descriptor.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "panels/way/descriptor_origins.hpp"
#include "panels/way/descriptor_starts.hpp"

namespace lanescope::viz {
namespace {

using layout::Major;
using layout::Swizzle;

// The strides that tiles have: an atom's, several atoms', a whole tile's.
constexpr std::array<std::uint32_t, 10> kStrides{128,  256,  512,   1024,  2048,
                                                 4096, 8192, 16384, 32768, 65536};

std::uint32_t usual_sbo(Swizzle mode) {
  return 128u * static_cast<std::uint32_t>(layout::units_per_row(mode));
}

Change with_modes(const DescriptorRead& read, const char* of_copy, std::string_view lies) {
  return {"descriptor-swizzle",
          fmt::format("{} swizzle {}, the descriptor reads {}", of_copy, lies,
                      layout::name(read.descriptor.mode)),
          fmt::format("the tensor map's swizzle and the descriptor's mode must be the same: {}",
                      read.is_tensor ? "bits 61 to 63 are 2 for 128B, 4 for 64B, 6 for 32B"
                                     : "bits 62 and 63 are 1 for 128B, 2 for 64B, 3 for 32B"),
          nullptr,
          nullptr,
          false};
}

// The mode alone, or with the SBO of rows that lie close together in it.
void add_modes(std::vector<Change>& all, const DescriptorRead& read, const trace::Sync* copy,
               bool with_sbo) {
  for (const Swizzle mode : layout::kSwizzles) {
    if (mode == read.descriptor.mode) continue;
    Change change =
        with_modes(read, copy != nullptr ? "the tensor map has" : "it lies as it does with",
                   layout::name(mode));
    if (with_sbo && usual_sbo(mode) != read.descriptor.sbo_bytes)
      change.words +=
          fmt::format(", with SBO {} bytes, not {}", read.descriptor.sbo_bytes, usual_sbo(mode));
    change.read = [mode, with_sbo](DescriptorRead& now, std::size_t) {
      now.descriptor.mode = mode;
      if (with_sbo) now.descriptor.sbo_bytes = usual_sbo(mode);
    };
    all.push_back(std::move(change));
  }
}

void add_map_swizzle(std::vector<Change>& all, const DescriptorRead& read,
                     const trace::Sync* copy) {
  const std::string mode(layout::name(read.descriptor.mode));
  if (copy == nullptr || copy->tensor.front().swizzle == mode) return;
  all.push_back(with_modes(read, "the tensor map has", copy->tensor.front().swizzle));
  all.back().tensor = [mode](trace::TensorBox& tensor) { tensor.swizzle = mode; };
}

Change strides(const DescriptorRead& read, std::string words, std::uint32_t lbo,
               std::uint32_t sbo) {
  const Swizzle mode = read.descriptor.mode;
  return {"descriptor-stride",
          std::move(words),
          fmt::format("LBO: {}. SBO: {}", layout::meaning_of_lbo(mode, read.major),
                      layout::meaning_of_sbo(mode, read.major)),
          [lbo, sbo](DescriptorRead& now, std::size_t) {
            now.descriptor.lbo_bytes = lbo;
            now.descriptor.sbo_bytes = sbo;
          },
          nullptr,
          false};
}

Change sbo(const DescriptorRead& read, std::uint32_t bytes) {
  return strides(read,
                 fmt::format("the descriptor's SBO is {} bytes, it should be {}",
                             read.descriptor.sbo_bytes, bytes),
                 read.descriptor.lbo_bytes, bytes);
}

Change lbo(const DescriptorRead& read, std::uint32_t bytes) {
  return strides(read,
                 fmt::format("the descriptor's LBO is {} bytes, it should be {}",
                             read.descriptor.lbo_bytes, bytes),
                 bytes, read.descriptor.sbo_bytes);
}

void add_strides(std::vector<Change>& all, const DescriptorRead& read) {
  const auto [was_lbo, was_sbo] = std::pair(read.descriptor.lbo_bytes, read.descriptor.sbo_bytes);
  all.push_back(strides(
      read,
      fmt::format("the descriptor's LBO and SBO are exchanged: {} and {} bytes", was_lbo, was_sbo),
      was_sbo, was_lbo));
  for (const std::uint32_t bytes : kStrides) {
    if (bytes != was_sbo) all.push_back(sbo(read, bytes));
    if (bytes != was_lbo) all.push_back(lbo(read, bytes));
  }
}

// Where it is not, as many changes would change nothing, and each is looked at element by element.
bool uses_lbo(const DescriptorRead& read) {
  return read.descriptor.mode == Swizzle::none || read.major == Major::MN;
}

// Every other SBO and LBO that a tile in 64 KiB may have; both.
void add_rare_strides(std::vector<Change>& all, const DescriptorRead& read) {
  constexpr std::uint32_t kUnit = 16, kMost = 1 << 16;
  for (const std::uint32_t one : kStrides)
    for (const std::uint32_t other : kStrides)
      all.push_back(
          strides(read,
                  fmt::format("the descriptor's LBO and SBO are {} and {} bytes, they "
                              "should be {} and {}",
                              read.descriptor.lbo_bytes, read.descriptor.sbo_bytes, one, other),
                  one, other));
  for (std::uint32_t bytes = kUnit; bytes < kMost; bytes += kUnit) {
    all.push_back(sbo(read, bytes));
    if (uses_lbo(read)) all.push_back(lbo(read, bytes));
  }
}

void add_major(std::vector<Change>& all, const DescriptorRead& read, bool also_strides) {
  if (read.width != 16 && (!read.is_tensor || read.width != 8 || read.packed != 1)) return;
  const bool was_k = read.major == Major::K, is_a = read.operand == 'A';
  const std::string bit = read.is_tensor
                              ? fmt::format("bit {} of the instruction descriptor", is_a ? 15 : 16)
                              : fmt::format("imm-trans-{}", is_a ? 'a' : 'b');
  Change change{"descriptor-transposed",
                fmt::format("{} is {}, it should be {}", bit, was_k ? 0 : 1, was_k ? 1 : 0),
                fmt::format("0 where elements lie side by side along K in shared memory, 1 where "
                            "they do along {}",
                            is_a ? 'M' : 'N'),
                [](DescriptorRead& now, std::size_t) {
                  now.major = now.major == Major::K ? Major::MN : Major::K;
                },
                nullptr,
                false};
  if (!also_strides) return all.push_back(std::move(change));
  const std::string words = change.words;
  for (const std::uint32_t one : kStrides)
    for (const std::uint32_t other : kStrides) {
      change.words = fmt::format("{}, and LBO and SBO {} and {} bytes", words, one, other);
      change.read = [one, other](DescriptorRead& now, std::size_t) {
        now.major = now.major == Major::K ? Major::MN : Major::K;
        now.descriptor.lbo_bytes = one;
        now.descriptor.sbo_bytes = other;
      };
      all.push_back(change);
    }
}

}  // namespace

std::vector<Change> descriptor_changes(const Reads& reads, const trace::Sync* copy) {
  std::vector<Change> all;
  const DescriptorRead& read = reads[first_own(reads)].read;
  add_map_swizzle(all, read, copy);
  add_modes(all, read, copy, false);
  add_strides(all, read);
  add_major(all, read, false);
  add_advance(all, reads);
  add_start(all, read, copy);
  add_box(all, copy);
  all.push_back({"stale", "it was read before the copy that brings it had landed",
                 fmt::format("wait for the stage's mbarrier, by the parity of the phase, before {} "
                             "reads it",
                             read.one()),
                 nullptr, nullptr, true});
  add_modes(all, read, copy, true);
  add_major(all, read, true);
  add_rare_strides(all, read);
  return all;
}

const std::vector<trace::KnownMistake>& known_descriptor_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"descriptor-swizzle", "a descriptor and the tensor map have different swizzles"},
      {"descriptor-stride", "LBO or SBO of a descriptor wrong, or exchanged"},
      {"descriptor-transposed",
       "imm-trans-a or imm-trans-b of a wgmma wrong, or the bit of tcgen05.mma"},
      {"descriptor-advance", "a descriptor that goes on too little or too far along k"},
      {"descriptor-start", "a descriptor that begins behind its tile, or has a base offset"},
      {"descriptors-exchanged", "A read through B's descriptor, B through A's"},
      {"tensor-coordinates", "the coordinates of a tensor copy exchanged"},
      {"tensor-box", "the sizes of a tensor map's box exchanged"},
  };
  return all;
}

Change exchanged(const Reads& with) {
  return {"descriptors-exchanged",
          "the descriptors of A and B are exchanged",
          "the first one leads to A, with its M rows, the second one to B, with its N columns",
          [with](DescriptorRead& now, std::size_t index) {
            const DescriptorRead& other = with[index].read;
            now.bits = other.bits;
            now.descriptor = other.descriptor;
          },
          nullptr,
          false};
}

}  // namespace lanescope::viz
