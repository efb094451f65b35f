// SPDX-License-Identifier: MIT
// See fatbinary.hpp. Offsets below are into the container's header.
#include "cudart/binary/fatbinary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cudart/binary/cubin.hpp"
#include "cudart/binary/fat_entry.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::uint32_t kContainerMagic = 0xba55ed50u;

/// "" when the entry was read or is of a kind that does not matter.
std::string take_entry(FatBinary& binary, const EntryHeader& header,
                       std::span<const std::byte> entry) {
  const auto payload = entry.subspan(header.header_bytes);
  if (header.kind == kKindElf) {
    binary.sass.push_back(sass_target(header));
    return "";
  }
  if (header.kind != kKindPtx) return "";
  auto text = unpack(header, payload);
  if (!text) return "its PTX does not unpack";
  while (!text->empty() && text->back() == '\0') text->pop_back();  // padding
  const Target target = target_of(*text);
  if (target.number == 0) return "its PTX has no .target";
  binary.ptx.push_back(
      {target, std::move(*text), ptxas_options(header, entry.first(header.header_bytes))});
  return "";
}

std::string join(const std::vector<Target>& targets) {
  std::string text;
  for (const Target& target : targets) text += (text.empty() ? "" : ", ") + to_string(target);
  return text;
}

}  // namespace

Target parse_target(std::string_view text) {
  for (std::string_view prefix : {"sm_", "compute_"})
    if (text.substr(0, prefix.size()) == prefix) {
      text.remove_prefix(prefix.size());
      Target target;
      while (!text.empty() && text[0] >= '0' && text[0] <= '9' && target.number < 1000) {
        target.number = target.number * 10 + (text[0] - '0');
        text.remove_prefix(1);
      }
      if (text == "a" || text == "f") {
        target.suffix = text[0];
        text.remove_prefix(1);
      }
      return text.empty() ? target : Target{};
    }
  return {};
}

std::string to_string(Target target) {
  return fmt::format("sm_{}{}", target.number,
                     target.suffix ? std::string(1, target.suffix) : std::string());
}

Target target_of(std::string_view ptx) {
  constexpr std::string_view kDirective = ".target";
  const std::size_t at = ptx.find(kDirective);
  if (at == std::string_view::npos) return {};
  ptx.remove_prefix(at + kDirective.size());
  ptx.remove_prefix(std::min(ptx.find_first_not_of(" \t"), ptx.size()));
  return parse_target(ptx.substr(0, ptx.find_first_of(", \t\r\n")));
}

bool runs_on(Target ptx, Target arch) {
  // PTX ISA, .target: "a" code runs on that architecture only, "f" code on later ones of the
  // family.
  if (ptx.suffix == 'a') return ptx == arch;
  if (ptx.suffix == 'f') return ptx.number / 10 == arch.number / 10 && ptx.number <= arch.number;
  return ptx.number <= arch.number;
}

std::size_t container_bytes(std::span<const std::byte> header) {
  if (header.size() < kContainerHeaderBytes) return 0;
  if (field_at<std::uint32_t>(header, 0) != kContainerMagic) return 0;
  const std::size_t header_bytes = field_at<std::uint16_t>(header, 6);
  const std::uint64_t entries_bytes = field_at<std::uint64_t>(header, 8);
  if (header_bytes < kContainerHeaderBytes || entries_bytes > SIZE_MAX - header_bytes) return 0;
  return header_bytes + entries_bytes;
}

FatBinary read_fat_binary(std::span<const std::byte> bytes) {
  FatBinary binary;
  const std::size_t end = container_bytes(bytes);
  if (end == 0 || end > bytes.size()) {
    binary.error = end == 0 ? "not a fat binary" : "the fat binary is cut off";
    return binary;
  }
  std::size_t at = field_at<std::uint16_t>(bytes, 6);
  while (at < end) {
    const std::size_t left = end - at;
    if (left < kEntryHeaderBytes) {
      binary.error = fmt::format("an entry is cut off at byte {}", at);
      return binary;
    }
    const EntryHeader header = read_entry_header(bytes.subspan(at));
    if (header.header_bytes < kEntryHeaderBytes || header.header_bytes > left ||
        header.payload_bytes > left - header.header_bytes) {
      binary.error = fmt::format("the entry at byte {} is longer than the fat binary", at);
      return binary;
    }
    const std::string problem =
        take_entry(binary, header, bytes.subspan(at, header.header_bytes + header.payload_bytes));
    if (!problem.empty() && binary.error.empty())
      binary.error = fmt::format("the entry at byte {} is damaged: {}", at, problem);
    at += header.header_bytes + header.payload_bytes;
  }
  return binary;
}

const PtxImage* choose_ptx(const FatBinary& binary, Target arch) {
  const PtxImage* best = nullptr;
  for (const PtxImage& image : binary.ptx) {
    if (!runs_on(image.target, arch)) continue;
    // At the same number the specific one wins, as it does in the driver.
    if (!best || image.target.number > best->target.number ||
        (image.target.number == best->target.number && image.target.suffix > best->target.suffix))
      best = &image;
  }
  return best;
}

std::map<std::string, int> registers_in(std::span<const std::byte> container, Target arch) {
  const std::size_t end = container_bytes(container);
  if (end == 0 || end > container.size()) return {};
  Target best;
  std::optional<std::string> cubin;
  for (std::size_t at = field_at<std::uint16_t>(container, 6); at + kEntryHeaderBytes <= end;) {
    const EntryHeader header = read_entry_header(container.subspan(at));
    if (header.header_bytes < kEntryHeaderBytes || header.header_bytes > end - at ||
        header.payload_bytes > end - at - header.header_bytes)
      break;
    const Target target = sass_target(header);
    // SASS runs on its own kind of card and on later ones of its number's tens.
    const bool runs =
        runs_on(target, arch) && (target.suffix != 0 || target.number / 10 == arch.number / 10);
    const bool better = target.number > best.number ||
                        (target.number == best.number && target.suffix > best.suffix);
    if (header.kind == kKindElf && runs && better) {
      best = target;
      cubin = unpack(header, container.subspan(at + header.header_bytes, header.payload_bytes));
    }
    at += header.header_bytes + header.payload_bytes;
  }
  if (!cubin) return {};
  return registers_in_cubin(std::as_bytes(std::span(cubin->data(), cubin->size())));
}

std::string describe(const FatBinary& binary) {
  std::vector<Target> ptx;
  for (const PtxImage& image : binary.ptx) ptx.push_back(image.target);
  std::string text = ptx.empty() ? "no PTX" : "PTX for " + join(ptx);
  if (!binary.sass.empty()) text += " and SASS for " + join(binary.sass);
  return text;
}

}  // namespace lanescope::cudart
