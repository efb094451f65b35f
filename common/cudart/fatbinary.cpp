// SPDX-License-Identifier: MIT
// See fatbinary.hpp. Offsets below are into the container's and the entries' headers.
#include "cudart/fatbinary.hpp"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "cudart/cubin.hpp"

namespace lanescope::cudart {

namespace {

constexpr std::uint32_t kContainerMagic = 0xba55ed50u;
constexpr std::size_t kContainerHeaderBytes = 16;
constexpr std::size_t kEntryHeaderBytes = 64;  // the fields read here; headers may be longer
constexpr std::uint16_t kKindPtx = 1;
constexpr std::uint16_t kKindElf = 2;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagArchSpecific = 0x100000;
constexpr std::uint64_t kFlagFamily = 0x200000;
constexpr std::uint64_t kMaxTextBytes = std::uint64_t{256}
                                        << 20;  // the largest PTX taken seriously
constexpr std::uint64_t kLz4MaxRatio = 255;     // one byte of LZ4 stands for at most 255

struct EntryHeader {
  std::uint16_t kind;
  std::uint32_t header_bytes;
  std::uint64_t payload_bytes;
  std::uint32_t compressed_bytes;  // 0: not compressed
  std::uint32_t options_at;        // where the place and size of ptxas' options are; 0: none
  std::uint32_t sm;
  std::uint64_t flags;
  std::uint64_t text_bytes;  // uncompressed; 0: not compressed
};

template <class T>
T read_at(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

EntryHeader read_entry_header(std::span<const std::byte> bytes) {
  return {.kind = read_at<std::uint16_t>(bytes, 0),
          .header_bytes = read_at<std::uint32_t>(bytes, 4),
          .payload_bytes = read_at<std::uint64_t>(bytes, 8),
          .compressed_bytes = read_at<std::uint32_t>(bytes, 16),
          .options_at = read_at<std::uint32_t>(bytes, 20),
          .sm = read_at<std::uint32_t>(bytes, 28),
          .flags = read_at<std::uint64_t>(bytes, 40),
          .text_bytes = read_at<std::uint64_t>(bytes, 56)};
}

/// Grows with what really comes out, so that a header's lie about the size costs no memory.
std::optional<std::string> unpack_zstd(std::span<const std::byte> packed, std::uint64_t limit) {
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                    &ZSTD_freeDStream);
  std::string text;
  std::vector<char> chunk(64 * 1024);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  for (;;) {
    ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
    const std::size_t left = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(left) || text.size() + out.pos > limit) return std::nullopt;
    text.append(chunk.data(), out.pos);
    if (left == 0) return text;
    if (out.pos == 0 && in.pos == in.size) return std::nullopt;  // the frame is cut off
  }
}

std::optional<std::string> unpack_lz4(std::span<const std::byte> packed, std::uint64_t text_bytes) {
  if (text_bytes > (packed.size() + 1) * kLz4MaxRatio) return std::nullopt;
  std::string text(text_bytes, '\0');
  const int got =
      LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()), text.data(),
                          static_cast<int>(packed.size()), static_cast<int>(text_bytes));
  if (got < 0 || static_cast<std::uint64_t>(got) != text_bytes) return std::nullopt;
  return text;
}

std::optional<std::string> unpack(const EntryHeader& header, std::span<const std::byte> payload) {
  if (payload.size() > kMaxTextBytes || header.text_bytes > kMaxTextBytes) return std::nullopt;
  if ((header.flags & (kFlagLz4 | kFlagZstd)) == 0)
    return std::string(reinterpret_cast<const char*>(payload.data()), payload.size());
  if (header.compressed_bytes > payload.size()) return std::nullopt;
  const auto packed = payload.first(header.compressed_bytes);
  if (header.flags & kFlagZstd) {
    auto text = unpack_zstd(packed, kMaxTextBytes);
    if (text && text->size() != header.text_bytes) return std::nullopt;
    return text;
  }
  return unpack_lz4(packed, header.text_bytes);
}

/// "" where there are none, or not where the header says.
std::string ptxas_options(const EntryHeader& header, std::span<const std::byte> bytes) {
  const std::size_t at = header.options_at;
  if (at == 0 || bytes.size() < 8 || at > bytes.size() - 8) return "";
  const std::size_t text = read_at<std::uint32_t>(bytes, at);
  const std::size_t size = read_at<std::uint32_t>(bytes, at + 4);
  if (text > bytes.size() || size > bytes.size() - text) return "";
  const std::string found(reinterpret_cast<const char*>(bytes.data()) + text, size);
  return found.c_str();  // up to its padding
}

/// The .target of a PTX module: "sm_90a" in ".target sm_90a, debug".
Target find_target(std::string_view ptx) {
  constexpr std::string_view kDirective = ".target";
  const std::size_t at = ptx.find(kDirective);
  if (at == std::string_view::npos) return {};
  ptx.remove_prefix(at + kDirective.size());
  ptx.remove_prefix(std::min(ptx.find_first_not_of(" \t"), ptx.size()));
  return parse_target(ptx.substr(0, ptx.find_first_of(", \t\r\n")));
}

Target sass_target(const EntryHeader& header) {
  const char suffix = header.flags & kFlagArchSpecific ? 'a' : header.flags & kFlagFamily ? 'f' : 0;
  return {static_cast<int>(header.sm & 0xffff), suffix};
}

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
  const Target target = find_target(*text);
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

bool runs_on(Target ptx, Target arch) {
  // PTX ISA, .target: "a" code runs on that architecture only, "f" code on later ones of the
  // family.
  if (ptx.suffix == 'a') return ptx == arch;
  if (ptx.suffix == 'f') return ptx.number / 10 == arch.number / 10 && ptx.number <= arch.number;
  return ptx.number <= arch.number;
}

std::size_t container_bytes(std::span<const std::byte> header) {
  if (header.size() < kContainerHeaderBytes) return 0;
  if (read_at<std::uint32_t>(header, 0) != kContainerMagic) return 0;
  const std::size_t header_bytes = read_at<std::uint16_t>(header, 6);
  const std::uint64_t entries_bytes = read_at<std::uint64_t>(header, 8);
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
  std::size_t at = read_at<std::uint16_t>(bytes, 6);
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
  for (std::size_t at = read_at<std::uint16_t>(container, 6); at + kEntryHeaderBytes <= end;) {
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

bool is_emulated(Target arch) {
  constexpr int kNumbers[] = {75, 80, 86, 87, 89, 90, 100, 103, 120};  // card.cpp
  return std::find(std::begin(kNumbers), std::end(kNumbers), arch.number) != std::end(kNumbers);
}

std::string_view known_archs() {
  return "sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_103, sm_103a, "
         "sm_120, sm_120a";
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
  constexpr int kFirstSpecific = 90;
  bool any = false;
  for (std::size_t at = read_at<std::uint16_t>(container, 6);
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

std::string describe(const FatBinary& binary) {
  std::vector<Target> ptx;
  for (const PtxImage& image : binary.ptx) ptx.push_back(image.target);
  std::string text = ptx.empty() ? "no PTX" : "PTX for " + join(ptx);
  if (!binary.sass.empty()) text += " and SASS for " + join(binary.sass);
  return text;
}

}  // namespace lanescope::cudart
