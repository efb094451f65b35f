// SPDX-License-Identifier: MIT
// Which GPU to be for a program that does not say: one that all of its fat binaries have PTX for.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "cudart/binary/fat_entry.hpp"

namespace lanescope::cudart {

namespace {

constexpr int kNumbers[] = {75, 80, 86, 87, 89, 90, 100, 103, 120};  // the cards of card.cpp
constexpr int kFirstSpecific = 90;  // below, no target has a letter

}  // namespace

bool is_emulated(Target arch) {
  return std::find(std::begin(kNumbers), std::end(kNumbers), arch.number) != std::end(kNumbers);
}

std::string_view known_archs() {
  static const std::string all = [] {
    std::string names;
    for (const int number : kNumbers) {
      names += fmt::format("{}sm_{}", names.empty() ? "" : ", ", number);
      if (number >= kFirstSpecific) names += fmt::format(", sm_{}a", number);
    }
    return names;
  }();
  return all;
}

namespace {

/// A section is containers, with zeros between them.
std::vector<std::span<const std::byte>> containers_in(std::span<const std::byte> section) {
  constexpr std::size_t kAlignment = 8;
  std::vector<std::span<const std::byte>> found;
  for (std::size_t at = 0; at + kContainerHeaderBytes <= section.size();) {
    const std::size_t bytes = container_bytes(section.subspan(at));
    if (bytes == 0 || bytes > section.size() - at) {
      at += kAlignment;
      continue;
    }
    found.push_back(section.subspan(at, bytes));
    at += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  return found;
}

/// By the headers alone, which leave out what is written behind a number; below 90 no PTX has such
/// a letter. True: there is PTX for `arch`, or none at all. False says nothing.
bool surely_runs(std::span<const std::byte> container, Target arch) {
  bool any = false;
  for (std::size_t at = field_at<std::uint16_t>(container, 6);
       at + kEntryHeaderBytes <= container.size();) {
    const EntryHeader header = read_entry_header(container.subspan(at));
    const std::size_t left = container.size() - at;
    if (header.header_bytes < kEntryHeaderBytes || header.header_bytes > left ||
        header.payload_bytes > left - header.header_bytes)
      return false;
    const Target target{static_cast<int>(header.sm & 0xffff), 0};
    const bool is_ptx = header.kind == kKindPtx;
    if (is_ptx && (target.number < kFirstSpecific || arch == Target{kFirstSpecific, 'a'}) &&
        runs_on(target, arch))
      return true;
    any = any || is_ptx;
    at += header.header_bytes + header.payload_bytes;
  }
  return !any;
}

}  // namespace

Target choose_arch(std::span<const std::span<const std::byte>> sections, Target usual) {
  std::vector<FatBinary> all;
  bool surely = true;
  for (const auto& section : sections)
    for (const auto& container : containers_in(section))
      surely = surely && surely_runs(container, usual);
  if (surely) return usual;  // mostly, and nothing was unpacked
  for (const auto& section : sections)
    for (const auto& container : containers_in(section))
      if (FatBinary read = read_fat_binary(container); !read.ptx.empty())
        all.push_back(std::move(read));
  const auto runs_all = [&](Target arch) {
    return std::all_of(all.begin(), all.end(), [&](const FatBinary& container) {
      return choose_ptx(container, arch) != nullptr;
    });
  };
  if (runs_all(usual)) return usual;
  std::vector<Target> candidates;
  for (const FatBinary& container : all)
    for (const PtxImage& image : container.ptx) {
      const char suffix = image.target.suffix == 'a' ? 'a' : char{0};  // "f" code, on the plain one
      if (is_emulated(image.target)) candidates.push_back({image.target.number, suffix});
    }
  std::sort(candidates.begin(), candidates.end(), [](Target a, Target b) {
    return a.number != b.number ? a.number > b.number : a.suffix > b.suffix;
  });
  const auto found = std::find_if(candidates.begin(), candidates.end(), runs_all);
  return found == candidates.end() ? usual : *found;
}

}  // namespace lanescope::cudart
