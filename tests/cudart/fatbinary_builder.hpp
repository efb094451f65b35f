// SPDX-License-Identifier: MIT
// Builds fat binaries byte by byte for the tests, written from the layout that nvcc's output shows,
// not from the reader.
#pragma once

#include <lz4.h>
#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace lanescope::tests {

enum class Packing { none, zstd, lz4 };

class FatBinaryBuilder {
 public:
  FatBinaryBuilder() : bytes_(16) {
    put<std::uint32_t>(0, 0xba55ed50u);
    put<std::uint16_t>(4, 1);
    put<std::uint16_t>(6, 16);
  }

  /// Of the entries from here on: what nvcc told ptxas.
  FatBinaryBuilder& options(const std::string& options) {
    options_ = options;
    return *this;
  }

  FatBinaryBuilder& ptx(int sm, const std::string& text, Packing packing) {
    if (packing == Packing::none) return entry(1, sm, text + '\0', 0, 0x11, 0);
    std::string packed;
    if (packing == Packing::zstd) {
      packed.resize(ZSTD_compressBound(text.size()));
      packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
      return entry(1, sm, packed, packed.size(), 0x8011, text.size());
    }
    packed.resize(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))));
    packed.resize(static_cast<std::size_t>(LZ4_compress_default(text.data(), packed.data(),
                                                                static_cast<int>(text.size()),
                                                                static_cast<int>(packed.size()))));
    return entry(1, sm, packed, packed.size(), 0x2011, text.size());
  }

  /// Machine code as an ELF file: cubin_with_registers() below.
  FatBinaryBuilder& code(int sm, const std::string& cubin, std::uint64_t flags = 0x11) {
    return entry(2, sm, cubin, 0, flags, 0);
  }

  FatBinaryBuilder& sass(int sm, std::uint64_t flags = 0x11) {
    return entry(2, sm,
                 "\x7f"
                 "ELF not really",
                 0, flags, 0);
  }

  std::vector<std::byte> build() {
    put<std::uint64_t>(8, bytes_.size() - 16);
    return bytes_;
  }

  /// Overwrites a field, to damage it.
  template <class T>
  FatBinaryBuilder& put(std::size_t offset, T value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
    return *this;
  }

 private:
  FatBinaryBuilder& entry(int kind, int sm, std::string payload, std::size_t compressed_bytes,
                          std::uint64_t flags, std::size_t text_bytes) {
    // PTX entries of nvcc 13 have 64 bytes and then options: their place and size, and their text
    const std::size_t header_bytes = 80 + (options_.size() + 7) / 8 * 8;
    payload.resize((payload.size() + 7) / 8 * 8, '\0');
    const std::size_t at = bytes_.size();
    bytes_.resize(at + header_bytes + payload.size());
    put<std::uint16_t>(at, static_cast<std::uint16_t>(kind));
    put<std::uint16_t>(at + 2, 0x101);
    put<std::uint32_t>(at + 4, static_cast<std::uint32_t>(header_bytes));
    put<std::uint64_t>(at + 8, payload.size());
    put<std::uint32_t>(at + 16, static_cast<std::uint32_t>(compressed_bytes));
    put<std::uint16_t>(at + 26, 9);
    put<std::uint32_t>(at + 28, static_cast<std::uint32_t>(sm));
    put<std::uint64_t>(at + 40, flags);
    put<std::uint64_t>(at + 56, text_bytes);
    if (!options_.empty()) {
      put<std::uint32_t>(at + 20, 64);
      put<std::uint32_t>(at + 64, 72);
      put<std::uint32_t>(at + 68, static_cast<std::uint32_t>(options_.size() + 1));
      std::memcpy(bytes_.data() + at + 72, options_.data(), options_.size());
    }
    std::memcpy(bytes_.data() + at + header_bytes, payload.data(), payload.size());
    return *this;
  }

  std::vector<std::byte> bytes_;
  std::string options_;
};

/// An ELF file with nothing in it but how many registers kernels have.
inline std::string cubin_with_registers(
    const std::vector<std::pair<std::string, std::uint32_t>>& kernels) {
  const auto put = [](std::string& to, auto value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  std::string names(1, '\0'), symbols(24, '\0'), info;
  std::uint32_t number = 0;
  for (const auto& [name, registers] : kernels) {
    put(symbols, static_cast<std::uint32_t>(names.size()));
    symbols.append(20, '\0');
    names += name + '\0';
    put(info, std::uint32_t{0x00041204});  // another attribute, of four bytes
    put(info, std::uint32_t{77});
    put(info, std::uint32_t{0x00082f04});
    put(info, ++number);
    put(info, registers);
  }
  const std::string headings = std::string("\0.shstrtab\0.strtab\0.symtab\0.nv.info\0", 37);
  const std::string* contents[] = {&headings, &names, &symbols, &info};
  const std::uint32_t heading_at[] = {1, 11, 19, 27};
  std::string file(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  file.resize(64, '\0');
  std::string sections(64, '\0');
  for (int k = 0; k < 4; ++k) {
    put(sections, heading_at[k]);
    put(sections, std::uint32_t{3});
    put(sections, std::uint64_t{0});
    put(sections, std::uint64_t{0});
    put(sections, std::uint64_t{file.size()});
    put(sections, std::uint64_t{contents[k]->size()});
    sections.append(24, '\0');
    file += *contents[k];
  }
  const std::uint64_t where = file.size();
  std::memcpy(file.data() + 0x28, &where, 8);
  const std::uint16_t counts[] = {64, 5, 1};  // e_shentsize, e_shnum, e_shstrndx
  std::memcpy(file.data() + 0x3a, counts, sizeof counts);
  return file + sections;
}

/// The smallest module that names its target, padded so that it is worth packing.
inline std::string module_for(const std::string& target) {
  return ".version 9.0\n.target " + target + "\n.address_size 64\n// " + std::string(200, '-') +
         "\n.visible .entry nothing()\n{\n\tret;\n}\n";
}

}  // namespace lanescope::tests
