// SPDX-License-Identifier: MIT
// What a parameter of a kernel is given, in the words of `lanescope run KERNEL.ptx`:
//
//     u32=5                               a number
//     f16:64x128=random                   64 x 128 elements of global memory, and what is in them
//     map:f16:64x128:64x64:128B=random    the same behind a tensor map, with a box and a swizzle
//
// In memory is 0 where nothing is said; else a number, `index` (0, 1, 2, ...), `random`, `random:7`
// with a seed of one's own, or what is in a file, `@FILE`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/element.hpp"

namespace lanescope::launcher {

struct Contents {
  enum class Kind : std::uint8_t { number, index, random, file };
  Kind kind = Kind::number;
  std::uint64_t value = 0;  // the number's pattern; the seed, 0: the parameter's number
  std::string file;
};

struct Argument {
  enum class Kind : std::uint8_t { number, memory, tensor_map };
  Kind kind = Kind::number;
  const Element* element = nullptr;
  std::uint64_t number = 0;          // its pattern
  std::vector<std::uint64_t> shape;  // elements, the dimension that varies fastest last
  std::vector<std::uint32_t> box;    // of a tensor map, likewise
  int swizzle = 0;                   // CUtensorMapSwizzle
  Contents contents;
  std::string word;  // without the contents: what it is called

  std::uint64_t count() const;
  std::uint64_t bytes() const { return count() * static_cast<std::uint64_t>(element->bytes); }
  /// Of the parameter itself.
  std::size_t parameter_bytes() const;
};

/// Reads a word; what is wrong with it and what to do, or "".
std::string read_argument(std::string_view word, Argument& argument);

/// What is in the memory of parameter `number` (0, 1, ...) before the launch; why not, or "".
std::string fill(const Argument& argument, int number, std::vector<std::byte>& bytes);

}  // namespace lanescope::launcher
