// SPDX-License-Identifier: MIT
// The modifiers of a statement, which the rules of all instructions take one by one.
#include <algorithm>

#include "emulator/decode/decode.hpp"

namespace lanescope::emulator {

bool Decoder::take(std::string_view modifier) {
  const auto found = std::find(modifiers_.begin(), modifiers_.end(), modifier);
  if (found == modifiers_.end()) return false;
  modifiers_.erase(found);
  return true;
}

Type Decoder::take_type() {
  for (auto at = modifiers_.begin(); at != modifiers_.end(); ++at) {
    const Type type = find_type(*at);
    if (type == Type::none) continue;
    modifiers_.erase(at);
    return type;
  }
  refuse("the type is missing", ErrorCode::invalid_ptx);
}

Space Decoder::take_space(Space otherwise) {
  for (auto at = modifiers_.begin(); at != modifiers_.end(); ++at) {
    const Space space = find_space(*at);
    if (space == Space::none) continue;
    modifiers_.erase(at);
    return space;
  }
  return otherwise;
}

std::string_view Decoder::take_any(std::initializer_list<std::string_view> choices) {
  for (const std::string_view choice : choices)
    if (take(choice)) return choice;
  return {};
}

// What changes where or how long the bytes are kept, or who sees them when, but not their values.
void Decoder::take_cache_hints() {
  for (const std::string_view hint : {"weak",
                                      "relaxed",
                                      "acquire",
                                      "release",
                                      "acq_rel",
                                      "volatile",
                                      "mmio",
                                      "cta",
                                      "cluster",
                                      "gpu",
                                      "sys",
                                      "nc",
                                      "ca",
                                      "cg",
                                      "cs",
                                      "lu",
                                      "cv",
                                      "wb",
                                      "wt",
                                      "L1::evict_normal",
                                      "L1::evict_unchanged",
                                      "L1::evict_first",
                                      "L1::evict_last",
                                      "L1::no_allocate",
                                      "L2::evict_first",
                                      "L2::evict_last",
                                      "L2::evict_normal",
                                      "L2::64B",
                                      "L2::128B",
                                      "L2::256B"})
    take(hint);
}

}  // namespace lanescope::emulator
