// SPDX-License-Identifier: MIT
// What descriptors lead to, whose rows, or pages, were found by numbers in memory (gathered.hpp).
// See descriptor_origins.hpp.
#include "panels/way/descriptor_origins.hpp"
#include "panels/way/way_begin.hpp"

namespace lanescope::viz {

Numbers DescriptorOrigins::numbers_of(const Origin& origin) {
  if (origin.copy == nullptr) return origin.access ? numbers_.of(*origin.access) : Numbers();
  const GlobalAccess access = access_of_copy(history_, *origin.copy);
  return access.place.item >= 0 ? numbers_.of(access) : Numbers();
}

// Along its first row and its first k.
Numbers DescriptorOrigins::edge_numbers(const DescriptorRead& read, const OriginAt& at) {
  Numbers all;
  for (int mn = 0; mn < read.mn; ++mn)
    for (int k = 0; k < (mn == 0 ? read.k : 1); ++k) all.merge(numbers_of(at(mn, k)));
  return all;
}

std::vector<std::optional<FoundBy>> DescriptorOrigins::found_by(const DescriptorRead& read,
                                                                const OriginAt& at) {
  std::vector<std::optional<FoundBy>> all;
  for (int mn = 0; mn < read.mn; ++mn)
    for (int k = 0; k < read.k; ++k) {
      const Origin one = at(mn, k);
      all.emplace_back();
      if (one.known) all.back() = {one.address, numbers_of(one)};
    }
  return all;
}

// Of what is only tried it must be sure: each of its lines was found by one number, and no other by
// that.
std::optional<MatrixPart> DescriptorOrigins::gathered(const DescriptorRead& read,
                                                      const OriginAt& at, bool is_tried) {
  const Origin first = at(0, 0);
  if (!first.known || edge_numbers(read, at).empty()) return std::nullopt;
  const std::vector<std::optional<FoundBy>> all = found_by(read, at);
  for (const bool gaps : {true, false}) {
    auto anew = laid_anew(all, first.bytes, gaps);
    if (!anew) return std::nullopt;
    const auto found = in_lines(read, [&](int mn, int k) {
      const auto index = static_cast<std::size_t>(mn * read.k + k);
      return Origin{all[index].has_value(), anew->at[index], 0, {}, first.bytes};
    });
    if (!found) continue;
    const int lines = found->along_k ? read.mn : read.k;
    if (is_tried && !(anew->one_by_one && anew->groups == static_cast<std::size_t>(lines)))
      continue;
    MatrixPart part = *found;
    part.anew = std::move(anew);
    return part;
  }
  return std::nullopt;
}

// Why nothing is said of what was found by numbers that differ; "": it was not.
std::string DescriptorOrigins::why_gathered(const DescriptorRead& read) {
  const OriginAt at = [&](int mn, int k) { return origin(read, read.byte(mn, k), {}); };
  const auto anew = laid_anew(found_by(read, at), read.width / 8, false);
  return anew ? unordered_text(read.operand, numbers_text(*anew, numbers_)) : std::string();
}

}  // namespace lanescope::viz
