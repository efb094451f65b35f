// SPDX-License-Identifier: MIT
// See fat_entry.hpp.
#include "cudart/binary/fat_entry.hpp"

#include <lz4.h>
#include <zstd.h>

#include <memory>
#include <vector>

namespace lanescope::cudart {

namespace {

constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagArchSpecific = 0x100000;
constexpr std::uint64_t kFlagFamily = 0x200000;
constexpr std::uint64_t kMaxTextBytes = std::uint64_t{256}
                                        << 20;  // the largest PTX taken seriously
constexpr std::uint64_t kLz4MaxRatio = 255;     // one byte of LZ4 stands for at most 255

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

}  // namespace

EntryHeader read_entry_header(std::span<const std::byte> bytes) {
  return {.kind = field_at<std::uint16_t>(bytes, 0),
          .header_bytes = field_at<std::uint32_t>(bytes, 4),
          .payload_bytes = field_at<std::uint64_t>(bytes, 8),
          .compressed_bytes = field_at<std::uint32_t>(bytes, 16),
          .options_at = field_at<std::uint32_t>(bytes, 20),
          .sm = field_at<std::uint32_t>(bytes, 28),
          .flags = field_at<std::uint64_t>(bytes, 40),
          .text_bytes = field_at<std::uint64_t>(bytes, 56)};
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

std::string ptxas_options(const EntryHeader& header, std::span<const std::byte> bytes) {
  const std::size_t at = header.options_at;
  if (at == 0 || bytes.size() < 8 || at > bytes.size() - 8) return "";
  const std::size_t text = field_at<std::uint32_t>(bytes, at);
  const std::size_t size = field_at<std::uint32_t>(bytes, at + 4);
  if (text > bytes.size() || size > bytes.size() - text) return "";
  const std::string found(reinterpret_cast<const char*>(bytes.data()) + text, size);
  return found.c_str();  // up to its padding
}

Target sass_target(const EntryHeader& header) {
  const char suffix = header.flags & kFlagArchSpecific ? 'a' : header.flags & kFlagFamily ? 'f' : 0;
  return {static_cast<int>(header.sm & 0xffff), suffix};
}

}  // namespace lanescope::cudart
