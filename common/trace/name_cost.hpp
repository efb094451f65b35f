// SPDX-License-Identifier: MIT
// How much a mangled name unfolds to. A name of 200 letters can stand for gigabytes: a back
// reference (S0_) names a type of two back references, and so on, and the demangler of the standard
// library writes all of them out. So what it would write is reckoned before it is asked.
//
//     _Z1f1AIiES_IS0_S0_ES_IS1_S1_E...   A<i>, A<A<i>, A<i>>, A<A<A<i>, A<i>>, A<A<i>, A<i>>>, ...
//
// Not a demangler: it reads where each part begins and ends, and adds. Source: Itanium C++ ABI,
// 5.1 "External Names"; where parts become candidates for back references, libiberty's cp-demangle.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope::trace {

/// At most so many parts and letters of identifiers are written out of a mangled name; no more than
/// kCostUnknown, which it is, too, where the name is not understood.
inline constexpr std::uint64_t kCostUnknown = std::uint64_t{1} << 60;
std::uint64_t name_cost(std::string_view mangled);

}  // namespace lanescope::trace
