// SPDX-License-Identifier: MIT
// See elf_file.hpp. Every offset of the file is checked before it is followed.
#include "cudart/elf_file.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace lanescope::cudart {

namespace {

using Bytes = std::span<const std::byte>;

template <class T>
std::optional<T> read_at(Bytes bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view text_at(Bytes bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const char* text = reinterpret_cast<const char*>(bytes.data() + offset);
  return {text, strnlen(text, bytes.size() - offset)};
}

std::vector<Elf64_Phdr> program_headers(Bytes bytes, const Elf64_Ehdr& header) {
  std::vector<Elf64_Phdr> all;
  for (std::uint64_t index = 0; index < header.e_phnum; ++index)
    if (const auto one = read_at<Elf64_Phdr>(bytes, header.e_phoff + index * sizeof(Elf64_Phdr)))
      all.push_back(*one);
  return all;
}

/// Where in the file a virtual address is.
std::optional<std::uint64_t> file_offset(const std::vector<Elf64_Phdr>& segments,
                                         std::uint64_t address) {
  for (const Elf64_Phdr& segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return std::nullopt;
}

std::vector<std::string> needed_libraries(Bytes bytes, const std::vector<Elf64_Phdr>& segments) {
  std::vector<std::uint64_t> names;
  std::optional<std::uint64_t> strings;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::uint64_t at = 0; at < segment.p_filesz; at += sizeof(Elf64_Dyn)) {
      const auto entry = read_at<Elf64_Dyn>(bytes, segment.p_offset + at);
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED) names.push_back(entry->d_un.d_val);
      if (entry->d_tag == DT_STRTAB) strings = file_offset(segments, entry->d_un.d_ptr);
    }
  }
  std::vector<std::string> libraries;
  if (strings)
    for (const std::uint64_t name : names) libraries.emplace_back(text_at(bytes, *strings + name));
  return libraries;
}

/// The first section of this name; empty when there is none.
Bytes find_section(Bytes bytes, const Elf64_Ehdr& header, std::string_view wanted) {
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

}  // namespace

ElfFile read_elf(Bytes bytes) {
  ElfFile file;
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return file;
  file.is_elf = true;
  file.libraries = needed_libraries(bytes, program_headers(bytes, *header));
  for (const std::string_view name : {".nv_fatbin", "__nv_relfatbin"})
    if (const Bytes section = find_section(bytes, *header, name); !section.empty())
      file.fat_binaries.push_back(section);
  file.has_fat_binary = !file.fat_binaries.empty();
  return file;
}

}  // namespace lanescope::cudart
