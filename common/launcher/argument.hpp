// SPDX-License-Identifier: MIT
// What a parameter of a kernel is given, in the words of `lanescope run KERNEL.ptx`:
//
//     u32=5                               a number
//     f16:64x128=random                   64 x 128 elements of global memory, and what is in them
//     map:f16:64x128:64x64:128B=random    the same behind a tensor map, with a box and a swizzle
//     f16:4096=random,s32=64,f32=0.5      a struct: its members, each where C++ puts it
//     @FILE                               all bytes of the parameter, whatever it is
//
// In memory is 0 where nothing is said; else a number, `index` (0, 1, 2, ...), `random`, `whole`
// (random whole numbers, none above 8, whose sums and products are exact), `random:7` and `whole:7`
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
  enum class Kind : std::uint8_t { number, index, random, whole, file };
  Kind kind = Kind::number;
  std::uint64_t value = 0;  // the number's pattern; the seed, 0: the argument's number
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
  /// Of the parameter, or the member, itself.
  std::size_t parameter_bytes() const;
  /// It begins at a multiple of this.
  std::size_t alignment() const { return kind == Kind::tensor_map ? 64 : parameter_bytes(); }
};

/// What a parameter is given: an argument, or those of a struct's members, or a file of its bytes.
struct Parameter {
  std::vector<Argument> members;  // one, where it is no struct; none, where there is a file
  std::string file;
  std::string word;

  /// Where each member begins, and behind the last the size of all.
  std::vector<std::size_t> offsets() const;
};

/// Reads a word; what is wrong with it and what to do, or "".
std::string read_argument(std::string_view word, Argument& argument);
/// The same of a whole parameter; `number` is which, for the message.
std::string read_parameter(std::string_view word, std::size_t number, Parameter& parameter);

/// Parameter 2, or parameter 2.1: the second member of a struct.
std::string name_of(const Parameter& parameter, std::size_t number, std::size_t member);

/// The bytes of a file, which must be as many; why not, or "".
std::string read_file(const std::string& file, std::string_view word,
                      std::vector<std::byte>& bytes);

/// What is in the memory of argument `number` (0, 1, ...) before the launch; why not, or "".
std::string fill(const Argument& argument, int number, std::vector<std::byte>& bytes);

}  // namespace lanescope::launcher
