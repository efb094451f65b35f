// SPDX-License-Identifier: MIT
// Pieces of an ELF file, by offsets that may be wrong: shared by elf_file.cpp (programs) and
// cubin.cpp (machine code).
// Source: System V ABI, chapter 4 (sections).
#pragma once

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace lanescope::cudart {

using Bytes = std::span<const std::byte>;

template <class T>
std::optional<T> read_at(Bytes bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

inline std::string_view text_at(Bytes bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const char* text = reinterpret_cast<const char*>(bytes.data() + offset);
  return {text, strnlen(text, bytes.size() - offset)};
}

inline bool is_elf64(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB;
}

/// The first section of this name; empty when there is none.
inline Bytes find_section(Bytes bytes, const Elf64_Ehdr& header, std::string_view wanted) {
  const auto section_at = [&](std::uint64_t index) {
    return read_at<Elf64_Shdr>(bytes, header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto names = section_at(header.e_shstrndx);
  for (std::uint64_t index = 0; names && index < header.e_shnum; ++index) {
    const auto section = section_at(index);
    if (!section || text_at(bytes, names->sh_offset + section->sh_name) != wanted) continue;
    if (section->sh_offset > bytes.size()) return {};
    return bytes.subspan(
        section->sh_offset,
        std::min<std::uint64_t>(section->sh_size, bytes.size() - section->sh_offset));
  }
  return {};
}

}  // namespace lanescope::cudart
