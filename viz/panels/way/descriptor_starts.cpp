// SPDX-License-Identifier: MIT
// See descriptor_starts.hpp.
#include "panels/way/descriptor_starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lanescope::viz {
namespace {

std::string text_of(std::int64_t one, std::int64_t other) { return coordinates_text({one, other}); }

}  // namespace

// From one wgmma to the next since the sums arrived.
void add_advance(std::vector<Change>& all, const Reads& reads) {
  std::vector<std::uint32_t> first(reads.size());
  std::vector<int> nth(reads.size());
  std::int64_t was = 0;
  for (std::size_t k = 0; k < reads.size(); ++k) {
    const std::uint32_t start = reads[k].read.descriptor.start_bytes;
    nth[k] = reads[k].nth;
    first[k] = nth[k] == 0 || k == 0 ? start : first[k - 1];
    if (nth[k] == 1 && k > 0) was = std::int64_t{start} - first[k];
  }
  // Those of a sum whose beginning is not looked at have no first one.
  if (nth.empty() || nth.front() != 0 || *std::max_element(nth.begin(), nth.end()) == 0) return;
  for (const std::uint32_t bytes : {32u, 16u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u, 8192u}) {
    if (bytes == was) continue;
    all.push_back(
        {"descriptor-advance",
         fmt::format("from one {} to the next the descriptor goes on by {} bytes, it "
                     "should go on by {}",
                     reads.front().read.one(), was, bytes),
         fmt::format("how far apart do the k of two {} lie in shared memory? A descriptor's start "
                     "counts units of 16 bytes",
                     reads.front().read.several()),
         [first, nth, bytes](DescriptorRead& now, std::size_t index) {
           now.descriptor.start_bytes =
               first[index] + bytes * static_cast<std::uint32_t>(nth[index]);
         },
         nullptr, false});
  }
}

void add_start(std::vector<Change>& all, const DescriptorRead& read, const trace::Sync* copy) {
  if (read.descriptor.base_offset != 0)
    all.push_back({"descriptor-start",
                   fmt::format("the descriptor's base offset is {}, it should be 0",
                               read.descriptor.base_offset),
                   "it is for tiles that do not begin where their swizzle's pattern does",
                   [](DescriptorRead& now, std::size_t) { now.descriptor.base_offset = 0; },
                   nullptr, false});
  if (copy == nullptr) return;
  const std::int64_t behind =
      std::int64_t{read.descriptor.start_bytes} - static_cast<std::int64_t>(copy->address);
  if (behind == 0) return;
  all.push_back({"descriptor-start",
                 fmt::format("the descriptor begins {} bytes behind its tile, at byte 0x{:x}",
                             behind, read.descriptor.start_bytes),
                 "the start is the tile's address in shared memory, in units of 16 bytes",
                 [behind](DescriptorRead& now, std::size_t) {
                   now.descriptor.start_bytes -= static_cast<std::uint32_t>(behind);
                 },
                 nullptr, false});
}

void add_box(std::vector<Change>& all, const trace::Sync* copy) {
  if (copy == nullptr || copy->tensor.front().box.size() < 2) return;
  const trace::TensorBox& t = copy->tensor.front();
  constexpr const char* kAdvice =
      "the dimension whose elements lie side by side comes first: in the coordinates, in the box, "
      "in the tensor's size";
  all.push_back(
      {"tensor-coordinates",
       fmt::format("the copy's first two coordinates are exchanged: {}, they should be {}",
                   text_of(t.at[0], t.at[1]), text_of(t.at[1], t.at[0])),
       kAdvice, nullptr, [](trace::TensorBox& now) { std::swap(now.at[0], now.at[1]); }, false});
  if (t.box[0] != t.box[1])
    all.push_back({"tensor-box",
                   fmt::format("the box's first two sizes are exchanged: {}, they should be {}",
                               text_of(t.box[0], t.box[1]), text_of(t.box[1], t.box[0])),
                   kAdvice, nullptr,
                   [](trace::TensorBox& now) { std::swap(now.box[0], now.box[1]); }, false});
}

}  // namespace lanescope::viz
