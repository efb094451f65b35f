// SPDX-License-Identifier: MIT
// See cubin.hpp. Every offset of the file is checked before it is followed.
#include "cudart/binary/cubin.hpp"

#include <elf.h>

#include <cstdint>

#include "cudart/binary/elf_reading.hpp"

namespace lanescope::cudart {

std::map<std::string, int> registers_in_cubin(Bytes cubin) {
  constexpr std::uint16_t kRegisters = 0x2f04;  // attribute 0x2f, with a size behind it
  constexpr std::uint8_t kSized = 4;
  std::map<std::string, int> registers;
  const auto header = read_at<Elf64_Ehdr>(cubin, 0);
  if (!header || !is_elf64(*header)) return registers;
  const Bytes info = find_section(cubin, *header, ".nv.info");
  const Bytes symbols = find_section(cubin, *header, ".symtab");
  const Bytes names = find_section(cubin, *header, ".strtab");
  for (std::uint64_t at = 0; at + 4 <= info.size();) {
    const auto kind = *read_at<std::uint16_t>(info, at);
    const auto size = *read_at<std::uint16_t>(info, at + 2);
    const auto symbol = read_at<std::uint32_t>(info, at + 4);
    const auto count = read_at<std::uint32_t>(info, at + 8);
    at += 4 + ((kind & 0xff) == kSized ? size : 0u);
    if (kind != kRegisters || !symbol || !count || *count > 255) continue;
    const auto entry = read_at<Elf64_Sym>(symbols, *symbol * sizeof(Elf64_Sym));
    if (!entry) continue;
    const std::string name(text_at(names, entry->st_name));
    if (!name.empty()) registers[name] = static_cast<int>(*count);
  }
  return registers;
}

}  // namespace lanescope::cudart
