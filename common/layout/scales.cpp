// SPDX-License-Identifier: MIT
#include "layout/scales.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::layout {
namespace {

int vectors(const Instruction& i) { return i.SFA.cols; }
int thread_ids(char operand) { return operand == 'S' ? 2 : 4; }

bool among(const std::vector<ScaleSelector>& all, ScaleSelector selector) {
  return std::find(all.begin(), all.end(), selector) != all.end();
}

// The lanes of thread-id 0 are those with some low bits 0; the others have the thread-id there.
void move(Fragment& f, ScaleSelector selector) {
  f.thread_match = f.operand == 'S' ? 2 * selector.thread_id : selector.thread_id;
  f.low_padding = 8 * selector.byte_id;
}

}  // namespace

std::vector<ScaleSelector> scale_selectors(const Instruction& i, char operand) {
  std::vector<ScaleSelector> all;
  if (i.SFA.operand == '?' || (operand != 'S' && operand != 'T')) return all;
  for (int thread = 0; thread < thread_ids(operand); ++thread)
    for (int byte = 0; byte + vectors(i) <= 4; byte += vectors(i)) all.push_back({thread, byte});
  return all;
}

Instruction with_scales(const Instruction& instruction, ScaleSelector selector) {
  Instruction i = instruction;
  if (among(scale_selectors(i, 'S'), selector)) move(i.SFA, selector);
  if (among(scale_selectors(i, 'T'), selector)) move(i.SFB, selector);
  i.note = "";
  return i;
}

std::string problem(const Instruction& i, char operand, ScaleSelector selector) {
  if (i.SFA.operand == '?') return fmt::format("{} has no scale factors", i.mnemonic);
  for (char each : {'S', 'T'}) {
    if ((operand != 0 && operand != each) || among(scale_selectors(i, each), selector)) continue;
    return fmt::format("selector {},{}: {} has thread-ids 0 to {} and byte-ids {}",
                       selector.thread_id, selector.byte_id, operand_name(each),
                       thread_ids(each) - 1,
                       vectors(i) == 1   ? "0, 1, 2, 3"
                       : vectors(i) == 2 ? "0, 2"
                                         : "0");
  }
  return {};
}

}  // namespace lanescope::layout
