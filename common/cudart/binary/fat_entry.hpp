// SPDX-License-Identifier: MIT
// One entry of a fat binary: its header, what it holds unpacked, what nvcc told ptxas. Offsets are
// into the header. Source: see fatbinary.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "cudart/binary/fatbinary.hpp"

namespace lanescope::cudart {

constexpr std::size_t kContainerHeaderBytes = 16;
constexpr std::size_t kEntryHeaderBytes = 64;  // the fields read here; headers may be longer
constexpr std::uint16_t kKindPtx = 1;
constexpr std::uint16_t kKindElf = 2;

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

/// The caller has looked at how many bytes there are.
template <class T>
T field_at(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

EntryHeader read_entry_header(std::span<const std::byte> bytes);

/// The PTX or the ELF file; nothing where it does not unpack.
std::optional<std::string> unpack(const EntryHeader& header, std::span<const std::byte> payload);

/// "" where there are none, or not where the header says.
std::string ptxas_options(const EntryHeader& header, std::span<const std::byte> header_bytes);

/// Which card an ELF file is for.
Target sass_target(const EntryHeader& header);

}  // namespace lanescope::cudart
