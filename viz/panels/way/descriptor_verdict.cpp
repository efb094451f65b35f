// SPDX-License-Identifier: MIT
// What is said of the bytes that descriptors lead to: that they are right and how they lie, which
// change would make them right and what is wrong without it, or why nothing can be said.
#include <fmt/format.h>

#include <algorithm>

#include "panels/way/descriptor_origins.hpp"

namespace lanescope::viz {

std::string DescriptorOrigins::lies(const Reads& reads, const Change& change) {
  const std::size_t own = first_own(reads);
  const DescriptorRead read = changed(reads[own], change, own);
  const std::optional<MatrixPart> one = part(read, change);
  if (!one) return {};
  const std::string how = lines_apart(one->along_k != (read.operand == 'A'), one->apart);
  if (one->anew)
    return fmt::format("{}, found by {}", line_after_line(one->along_k != (read.operand == 'A')),
                       numbers_text(*one->anew, numbers_));
  const std::string from = change.is_of_copy() ? "" : without_space(way(read, 0, 0).place);
  return from.empty() ? how : fmt::format("{}, from {} on", how, from);
}

// Among the wgmmas from `first` on, and which is the first one.
void DescriptorOrigins::count_wrong(OriginCheck& check, const Reads& reads, const Change& found,
                                    std::size_t first) {
  check.diagnosis.elements = 0;
  for (std::size_t n = first; n < reads.size(); ++n) {
    const DescriptorRead& was = reads[n].read;
    const DescriptorRead should = changed(reads[n], found, n);
    for (int mn = 0; mn < was.mn; ++mn)
      for (int k = 0; k < was.k; ++k) {
        ++check.diagnosis.elements;
        const Origin here = origin(was, was.byte(mn, k), {});
        const Origin there = origin(should, should.byte(mn, k), found);
        if (here.known && here.address == there.address) continue;
        if (++check.diagnosis.wrong > 1) continue;
        check.first = first_text(was, mn, k, here, part(should, found));
        if (n + 1 == reads.size())  // the way of an element is that of the last one, too
          check.first_at =
              was.operand == 'A' ? layout::Element{mn, k, 0} : layout::Element{k, mn, 0};
      }
  }
}

std::string DescriptorOrigins::first_text(const DescriptorRead& read, int mn, int k,
                                          const Origin& here,
                                          const std::optional<MatrixPart>& right) {
  const trace::Step& step = *history_.item(read.place.warp, read.place.item).step;
  std::string is = "something else";
  if (here.known && right && here.base == right->base) {
    const std::uint64_t begin = right->base != 0 ? right->base : right->first;
    MatrixPart found = *right, from = *right;
    found.first = here.address;
    found.along = here.along;
    place_in(found, begin);
    place_in(from, begin);
    // Farther away it is of another tile, or of another matrix.
    const std::int64_t at_mn = found.mn - from.mn, at_k = found.k - from.k;
    if (at_mn >= 0 && at_mn < 4 * read.mn && at_k >= 0 && at_k < 16 * read.k)
      is = read.element(at_mn, at_k);
  }
  return fmt::format("step {}: {} belongs there, it is {}", step.step, read.element(mn, k), is);
}

// Every byte lies as far behind the first in global memory as it does in shared memory.
bool DescriptorOrigins::is_copied_whole(const Reads& reads) {
  const DescriptorRead& first = reads.front().read;
  if (!first.bits) return false;
  const std::uint32_t begin = first.byte(0, 0);
  const Origin from = origin(first, begin, {});
  for (const ReadAt& one : reads)
    for (int mn = 0; mn < one.read.mn; ++mn)
      for (int k = 0; k < one.read.k; ++k) {
        const std::uint32_t byte = one.read.byte(mn, k);
        const Origin there = origin(one.read, byte, {});
        if (!one.read.bits || !there.known || there.bytes != one.read.width / 8 ||
            there.address - from.address != std::uint64_t{byte} - begin)
          return false;
      }
  return true;
}

OriginCheck DescriptorOrigins::verdict(const Reads& reads, const Parts& as_is,
                                       const std::optional<Change>& found) {
  OriginCheck check;
  trace::Diagnosis& d = check.diagnosis;
  if (found) {
    name_mistake(d, found->kind.c_str(), found->words, found->advice);
    check.lies = lies(reads, *found);
    count_wrong(check, reads, *found, first_own(reads));
    if (d.wrong == 0) count_wrong(check, reads, *found, 0);  // those before were
    return check;
  }
  if (as_is.all.size() == reads.size() && reads.size() > 1) {
    if (auto odd = turned_one(reads, as_is)) return std::move(*odd);
    if (auto odd = outside_one(reads, as_is)) return std::move(*odd);
  }
  if (as_is.all.size() == reads.size()) {
    d.verdict = trace::Verdict::right;
    check.lies = lies(reads, {});
    const int parameter = parameter_named(check.lies);
    const auto own = static_cast<std::ptrdiff_t>(first_own(reads));
    check.tile = tile_of({as_is.all.begin() + own, as_is.all.end()}, reads.front().read);
    check.tile->parameter = parameter;
    check.gathered.any = std::any_of(as_is.all.begin(), as_is.all.end(),
                                     [](const MatrixPart& part) { return part.anew.has_value(); });
    if (check.gathered.any) return check.tile.reset(), check;
    if (const trace::Sync* copy = copy_of(reads.back().read);
        copy != nullptr && has_lines(copy->tensor.front())) {
      const std::vector<std::int64_t>& size = copy->tensor.front().size;
      check.tile->of_tensor = size.front();
      check.tile->lines_of_tensor = size.size() == 2 ? size[1] : 0;
    }
    d.note = as_is.together;
    return check;
  }
  const DescriptorRead& read = reads[as_is.all.size()].read;
  for (int mn = 0; mn < read.mn; ++mn)
    for (int k = 0; k < read.k; ++k) {
      if (read.bits && origin(read, read.byte(mn, k), {}).known) continue;
      if (const Way from = read.bits ? way(read, mn, k) : Way{}; from.unwritten && from.read) {
        check = read_of_nothing(trace_, history_, read.element(mn, k), *from.read);
        if (d.kind == "unwritten")
          d.advice =
              "which bytes does its descriptor lead to? `lanescope descriptor` says it; and is all "
              "of the tile stored?";
        return check;
      }
      d.mistake = read.bits ? unknown_origin(read.element(mn, k), way(read, mn, k))
                            : "what is in the descriptor " + read.name + " is not recorded";
      return check;
    }
  if (std::string why = why_gathered(read); !why.empty()) {
    d.mistake = std::move(why);
    return check;
  }
  if (is_copied_whole(reads)) {
    d.mistake = fmt::format(
        "memory lies as the descriptor of {} reads it: right if it was packed so before, wrong if "
        "the matrix lies row after row there",
        read.operand);
    return check;
  }
  d.verdict = trace::Verdict::unknown;
  d.mistake = fmt::format(
      "what the descriptor 0x{:016x} leads to lies neither row after row nor "
      "column after column",
      read.bits.value_or(0));
  d.advice = "which bytes does it lead to? `lanescope descriptor` says it";
  return check;
}

}  // namespace lanescope::viz
