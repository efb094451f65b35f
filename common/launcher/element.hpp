// SPDX-License-Identifier: MIT
// The element types that a kernel's memory may have here, by their PTX names: how wide they are,
// how a number becomes one and one becomes text.
//
// Source: PTX ISA 9.2, 5.2 (types); CUDA driver API, CUtensorMapDataType.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::launcher {

struct Element {
  enum class Kind : std::uint8_t { whole, natural, real };  // .s, .u and .b, floating point
  std::string_view name;
  int bytes;
  Kind kind;
  int map_type;  // CUtensorMapDataType
};

/// The type of this name: f16, bf16, tf32, f32, f64, e4m3, e5m2, and s, u or b with 8 to 64 bits.
const Element* find_element(std::string_view name);
/// All of them, for a message.
std::string element_names();

/// The pattern of a number as people write it: 5, -1, 0x10, 1.5. Nothing where the type has none.
std::optional<std::uint64_t> read_number(const Element& element, std::string_view text);
/// Any pattern, evenly distributed: whole numbers of all sizes, real ones from -2 to 2. The same
/// for the same seed and place.
std::uint64_t random_pattern(const Element& element, std::uint64_t seed, std::uint64_t place);
/// A whole number from -8 to 8, of .u and .b from 0 to 8: every type here has them, and a sum of
/// their products is the same in every order. The same for the same seed and place.
std::uint64_t whole_pattern(const Element& element, std::uint64_t seed, std::uint64_t place);
/// The number `place`, or as much of it as the type holds.
std::uint64_t index_pattern(const Element& element, std::uint64_t place);

/// As people write it: 5, -1, 1.5; of .b its bits, 0x3c00.
std::string text_of(const Element& element, std::uint64_t pattern);

std::uint64_t load(const Element& element, const std::byte* from);
void store(const Element& element, std::uint64_t pattern, std::byte* to);

}  // namespace lanescope::launcher
