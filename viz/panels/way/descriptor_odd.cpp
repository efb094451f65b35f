// SPDX-License-Identifier: MIT
// Of several that add to the same sums the one that reads otherwise than the others: the matrix
// turned, or nothing but what lies outside of its tensor. See descriptor_origins.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "panels/way/descriptor_origins.hpp"

namespace lanescope::viz {
namespace {

// The step of a read, as it is called.
std::string name_of(RegisterHistory& history, const DescriptorRead& read) {
  return fmt::format("the {} at step {}", read.one(),
                     history.item(read.place.warp, read.place.item).step->step);
}

bool of_one_memory(const MatrixPart& a, const MatrixPart& b) {
  return !a.anew && !b.anew && a.base != 0 && a.base == b.base && a.apart == b.apart &&
         a.bytes == b.bytes;
}

// Along M or N a box has nothing of its tensor, of two dimensions. What lies behind the last k is
// zeros, and adds nothing.
bool is_outside(const trace::TensorBox& tensor, bool along_k) {
  const std::size_t mn = along_k ? 1 : 0;
  return tensor.at.size() == 2 && tensor.size.size() == 2 && tensor.box.size() == 2 &&
         (tensor.at[mn] >= tensor.size[mn] || tensor.at[mn] + tensor.box[mn] <= 0);
}

}  // namespace

// Read the other way round than most.
std::optional<OriginCheck> DescriptorOrigins::turned_one(const Reads& reads, const Parts& parts) {
  const auto along_k = std::count_if(parts.all.begin(), parts.all.end(),
                                     [](const MatrixPart& one) { return one.along_k; });
  const bool most = 2 * along_k > static_cast<std::ptrdiff_t>(parts.all.size());
  for (std::size_t k = 0; k < parts.all.size(); ++k) {
    const DescriptorRead& read = reads[k].read;
    const MatrixPart& beside = parts.all[k == 0 ? 1 : k - 1];
    if (parts.all[k].along_k == most || !of_one_memory(parts.all[k], beside)) continue;
    return mistaken("descriptor-transposed",
                    fmt::format("{} reads {} {}, the others that add to the same sums {}",
                                name_of(history_, read), read.operand,
                                line_after_line(!most != (read.operand == 'A')),
                                line_after_line(most != (read.operand == 'A'))),
                    fmt::format("is the bit that transposes {} the same in all {}?", read.operand,
                                read.several()));
  }
  return std::nullopt;
}

std::optional<OriginCheck> DescriptorOrigins::outside_one(const Reads& reads, const Parts& parts) {
  std::optional<std::size_t> outside;
  bool others_inside = false;
  for (std::size_t k = 0; k < parts.all.size(); ++k) {
    const trace::Sync* copy = copy_of(reads[k].read);
    if (copy == nullptr) continue;
    const bool is = is_outside(copy->tensor.front(), parts.all[k].along_k);
    others_inside = others_inside || !is;
    if (is && !outside) outside = k;
  }
  if (!outside || !others_inside) return std::nullopt;
  const DescriptorRead& read = reads[*outside].read;
  const trace::TensorBox& tensor = copy_of(read)->tensor.front();
  return mistaken("tensor-coordinates",
                  fmt::format("{} reads nothing but zeros of {}: the copy begins at {}, and its "
                              "tensor has {} x {}; those of the others that add to the same sums "
                              "begin in it",
                              name_of(history_, read), read.operand, coordinates_text(tensor.at),
                              tensor.size[0], tensor.size[1]),
                  "coordinates count elements, those of the fastest dimension first");
}

}  // namespace lanescope::viz
