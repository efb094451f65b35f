// SPDX-License-Identifier: MIT
// Helpers that more than one test of the atlas needs.
#pragma once

#include <string>

#include "layout/fragment.hpp"

namespace lanescope::layout {

/// Everything a map says, as text. Hundreds of entries share their maps: what is true of one is
/// true of all that have its fingerprint.
inline std::string fingerprint(const Fragment& f) {
  std::string text;
  for (int number : {int(f.operand), int(f.type), f.rows, f.cols, f.matrices, f.element_bits,
                     f.register_bits, f.values, f.thread_mask, f.thread_match, f.low_padding})
    text.append(std::to_string(number)).push_back(' ');
  for (const Moves* moves : {&f.thread, &f.value}) {
    for (int bit = 0; bit < moves->count; ++bit) {
      const Move& m = moves->bits[static_cast<std::size_t>(bit)];
      for (int number : {m.row, m.col, m.matrix})
        text.append(std::to_string(number)).push_back(' ');
    }
    text.push_back('|');
  }
  return text;
}

}  // namespace lanescope::layout
