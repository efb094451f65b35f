// SPDX-License-Identifier: MIT
// See descriptor_origins.hpp.
#include "panels/way/descriptor_origins.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

bool exchanged_are_alike(const trace::Sync& copy) {
  const std::vector<std::int64_t>& at = copy.tensor.front().at;
  return at.size() < 2 || at[0] == at[1];
}

}  // namespace

DescriptorRead changed(const ReadAt& at, const Change& change, std::size_t index) {
  DescriptorRead read = at.read;
  if (change.read) change.read(read, index);
  return read;
}

bool has_lines(const trace::TensorBox& tensor) {
  const std::vector<std::int64_t>& strides = tensor.strides_bytes;
  return std::all_of(strides.begin(), strides.end(),
                     [&strides](std::int64_t one) { return one >= strides.front(); });
}

std::size_t first_own(const Reads& reads) {
  std::size_t first = reads.size();
  while (first > 0 && reads[--first].nth != 0) {
  }
  return first;
}

const trace::Sync* DescriptorOrigins::copy_of(const DescriptorRead& read) {
  const Arrival* from = arrival(read, read.byte(0, 0), {});
  return from != nullptr && from->copy != nullptr && !from->copy->tensor.empty() ? from->copy
                                                                                 : nullptr;
}

Way DescriptorOrigins::way(const DescriptorRead& read, int mn, int k) {
  return way_back_from_shared(trace_, history_, {read.reader, read.byte(mn, k), 0, read.width});
}

const Arrival* DescriptorOrigins::arrival(const DescriptorRead& read, std::uint32_t byte,
                                          const Change& change) {
  const SharedHistory& shared = history_.shared(trace_, history_.warp(read.reader.warp));
  const trace::Step* step = history_.item(read.reader.warp, read.reader.item).step;
  const Arrival* coming = change.awaits ? shared.under_way(byte, step) : nullptr;
  return coming != nullptr ? coming : shared.last(byte, step);
}

Origin DescriptorOrigins::origin(const DescriptorRead& read, std::uint32_t byte,
                                 const Change& change) {
  const Arrival* from = arrival(read, byte, change);
  if (from == nullptr) return {};
  if (from->copy != nullptr && !from->copy->tensor.empty()) {
    trace::TensorBox tensor;
    if (change.tensor) change.tensor(tensor = from->copy->tensor.front());
    const auto source =
        bulk_source(*from->copy, change.tensor ? tensor : from->copy->tensor.front(), byte);
    if (!source) return {};
    Origin origin{true, source->address, from->copy->global, {}, read.width / 8};
    origin.copy = from;
    if (has_lines(from->copy->tensor.front())) origin.along = source->along_bytes;
    return origin;
  }
  const auto [found, is_new] = known_.try_emplace({from, byte});
  if (is_new) {
    const Way way = way_back_from_shared(trace_, history_, {read.reader, byte, 0, read.width});
    if (way.address && way.bits % 8 == 0)
      found->second = {true, *way.address, way.base, {}, way.bits / 8, way.access};
  }
  return found->second;
}

std::optional<MatrixPart> DescriptorOrigins::part(const DescriptorRead& read,
                                                  const Change& change) {
  if (!read.bits) return std::nullopt;
  const OriginAt at = [&](int mn, int k) { return origin(read, read.byte(mn, k), change); };
  std::optional<MatrixPart> found = in_lines(read, at);
  if (!found) return gathered(read, at, change.read != nullptr || change.is_of_copy());
  found->numbers = edge_numbers(read, at);
  return found;
}

std::optional<MatrixPart> DescriptorOrigins::in_lines(const DescriptorRead& read,
                                                      const OriginAt& at) const {
  const Origin first = at(0, 0), down = at(1, 0), right = at(0, 1);
  if (!first.known || !down.known || !right.known) return std::nullopt;
  const std::int64_t bytes = first.bytes;
  const auto along_mn = static_cast<std::int64_t>(down.address - first.address);
  const auto along_k = static_cast<std::int64_t>(right.address - first.address);
  MatrixPart part{first.address, first.base, 0, along_k == bytes, first.along, first.bytes,
                  read.k,        0,          0};
  part.apart = part.along_k ? along_mn : along_k;
  if ((part.along_k ? along_k : along_mn) != bytes) return std::nullopt;
  // A tile that hangs over its tensor's edge may be longer than a line.
  if (part.apart < bytes * (part.along_k ? read.k : read.mn) && !part.along) return std::nullopt;
  if (part.apart <= 0) return std::nullopt;
  for (int mn = 0; mn < read.mn; ++mn)
    for (int k = 0; k < read.k; ++k) {
      const Origin one = at(mn, k);
      const std::uint64_t offset =
          static_cast<std::uint64_t>(mn) * static_cast<std::uint64_t>(along_mn) +
          static_cast<std::uint64_t>(k) * static_cast<std::uint64_t>(along_k);
      if (!one.known || one.base != first.base || one.bytes != first.bytes ||
          one.address != first.address + offset)
        return std::nullopt;
      if (part.along && one.along != *part.along + (part.along_k ? k : mn) * bytes)
        return std::nullopt;
    }
  return part;
}

DescriptorOrigins::Parts DescriptorOrigins::parts(const Reads& reads, const Change& change) {
  Parts found;
  for (std::size_t k = 0; k < reads.size(); ++k) {
    const std::optional<MatrixPart> one = part(changed(reads[k], change, k), change);
    if (!one) return found;
    found.all.push_back(*one);
  }
  if (reads.empty()) return found;
  std::uint64_t lowest = found.all.front().first;
  for (const MatrixPart& one : found.all) lowest = std::min(lowest, one.first);
  for (MatrixPart& one : found.all) place_in(one, one.base != 0 ? one.base : lowest);
  found.together = against_each_other(found.all, reads.front().read);
  return found;
}

DescriptorOrigins::Checks DescriptorOrigins::check(const Multiplication& in) {
  constexpr std::size_t kMost = 16;  // of a long sum's wgmmas
  Checks checks;
  if (in.instruction == nullptr || !in.instruction->family.starts_with("wgmma")) return checks;
  Reads a, b;
  std::size_t all = 0;
  for (const Adding& one : wgmmas_of(history_, in, kMost)) {
    ++all;
    if (auto read = descriptor_read(history_, one.place, 'A'); read && read->width >= 8)
      a.push_back({std::move(*read), one.nth});
    if (auto read = descriptor_read(history_, one.place, 'B'); read && read->width >= 8)
      b.push_back({std::move(*read), one.nth});
  }
  if (all == 0 || b.size() != all || (!a.empty() && a.size() != all)) return checks;
  checks = check(a, b);
  const bool some = own_wgmmas(history_, in).size() > kMost;  // not all of them were looked at
  if (checks.a && checks.a->tile && !in.columns_of_A_are_k()) checks.a->tile->keep_one_of(2);
  if (checks.a && checks.a->tile && some) checks.a->tile->ks = -1;
  if (checks.b->tile && some) checks.b->tile->ks = -1;
  return checks;
}

DescriptorOrigins::Checks DescriptorOrigins::check(const TensorSum& sum) {
  constexpr std::size_t kMost = 16;  // of a long sum's first ones
  Checks checks;
  const auto read_all = [&](char operand, std::optional<OriginCheck>& check) {
    Reads reads;
    for (std::size_t k = 0; k < std::min(sum.size(), kMost); ++k) {
      TensorRead one = tensor_read(history_, sum[k].place, operand);
      if (!one.why.empty()) {
        check.emplace().diagnosis.mistake = one.why;
        return Reads{};
      }
      reads.push_back({std::move(one.read), sum[k].nth});
    }
    return reads;
  };
  const Reads a = read_all('A', checks.a), b = read_all('B', checks.b);
  if (b.empty()) {
    if (!a.empty()) checks.a = check(Reads{}, a).b;
    return checks;
  }
  Checks found = check(a, b);
  if (!a.empty()) checks.a = std::move(found.a);
  checks.b = std::move(found.b);
  return checks;
}

// A may be empty: it is in registers, or not followed.
DescriptorOrigins::Checks DescriptorOrigins::check(const Reads& a, const Reads& b) {
  Checks checks;
  const Parts of_a = parts(a, {}), of_b = parts(b, {});
  const bool right_a = of_a.right(a), right_b = of_b.right(b);
  if (!a.empty() && (!right_a || !right_b)) {
    const Change for_a = exchanged(b), for_b = exchanged(a);
    if (parts(a, for_a).right(a) && parts(b, for_b).right(b)) {
      checks.a = verdict(a, of_a, for_a);
      checks.b = verdict(b, of_b, for_b);
      return checks;
    }
  }
  const bool together = !right_a || !right_b || go_together(of_a.all, of_b.all);
  // The first change after which it is right, and goes with the other one where that is right.
  const auto explained = [&](const Reads& reads, const Parts& other,
                             bool other_is_right) -> std::optional<Change> {
    for (Change& one : changes(reads)) {
      const Parts now = parts(reads, one);
      if (now.right(reads) && (!other_is_right || go_together(now.all, other.all)))
        return std::move(one);
    }
    return std::nullopt;
  };
  std::optional<Change> found_a, found_b;
  if (!a.empty() && (!right_a || !together)) found_a = explained(a, of_b, right_b);
  if (!right_b || (!together && !found_a)) found_b = explained(b, of_a, right_a && !a.empty());
  if (!a.empty()) checks.a = verdict(a, of_a, found_a);
  checks.b = verdict(b, of_b, found_b);
  if (!together && !found_a && !found_b)
    checks.a->diagnosis.note = "A and B do not go on along k alike";
  return checks;
}

std::vector<Change> DescriptorOrigins::changes(const Reads& reads) {
  const trace::Sync* copy = nullptr;
  for (std::size_t k = 0; k < reads.size(); ++k) {
    const trace::Sync* one = reads[k].read.bits ? copy_of(reads[k].read) : nullptr;
    // One whose coordinates, exchanged, are others shows what is meant.
    if (one != nullptr && (copy == nullptr || exchanged_are_alike(*copy))) copy = one;
  }
  return descriptor_changes(reads, copy);
}

}  // namespace lanescope::viz
