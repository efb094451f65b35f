// SPDX-License-Identifier: MIT
// See elf_file.hpp. Every offset of the file is checked before it is followed.
#include "cudart/binary/elf_file.hpp"

#include <elf.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "cudart/binary/elf_reading.hpp"

namespace lanescope::cudart {

namespace {

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

}  // namespace

ElfFile read_elf(Bytes bytes) {
  ElfFile file;
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!header || !is_elf64(*header)) return file;
  file.is_elf = true;
  file.libraries = needed_libraries(bytes, program_headers(bytes, *header));
  for (const std::string_view name : {".nv_fatbin", "__nv_relfatbin"})
    if (const Bytes section = find_section(bytes, *header, name); !section.empty())
      file.fat_binaries.push_back(section);
  file.has_fat_binary = !file.fat_binaries.empty();
  return file;
}

}  // namespace lanescope::cudart
