// SPDX-License-Identifier: MIT
// What the cells say. Made once for a multiplication and a mode: decoding thousands of values in
// every frame would cost more than drawing them.
#include <fmt/format.h>

#include <algorithm>

#include "panels/panels.hpp"

namespace lanescope::viz {
namespace {

Labels::Words words(const Multiplication& in, char operand, const layout::Holder& holder,
                    LabelMode mode) {
  const layout::Fragment& map = *in.map(operand);
  const std::string lane = fmt::format("{}", holder.thread);
  switch (mode) {
    case LabelMode::lane:
      return {lane, {}};
    case LabelMode::reg:
      return {lane, layout::register_name(map, holder)};
    case LabelMode::value:
      return {value_text(in, operand, holder), {}};
    case LabelMode::hex: {
      const auto bits = element_bits(in, operand, holder);
      return {bits ? hex(*bits, map.element_bits).substr(2) : "", {}};
    }
    case LabelMode::both:
      return {lane, value_text(in, operand, holder)};
  }
  return {};
}

}  // namespace

const Labels& labels(Workspace& ws, const Multiplication& in) {
  Labels& cache = ws.label_cache;
  if (cache.made_for == &in && cache.mode == ws.labels && cache.revision == ws.revision)
    return cache;
  cache = {};
  cache.made_for = &in;
  cache.mode = ws.labels;
  cache.revision = ws.revision;
  for (const char operand : kOperands) {
    if (in.map(operand) == nullptr) continue;
    const auto index = static_cast<std::size_t>(operand_index(operand));
    Labels::Operand& made = cache.operands[index];
    made.cells.reserve((*in.cells)[index].size());
    for (const layout::Holder& holder : (*in.cells)[index]) {
      made.cells.push_back(holder.thread < 0 ? Labels::Words{}
                                             : words(in, operand, holder, ws.labels));
      const Labels::Words& w = made.cells.back();
      made.longest_first = std::max(made.longest_first, static_cast<int>(w.first.size()));
      made.longest_second = std::max(made.longest_second, static_cast<int>(w.second.size()));
    }
  }
  return cache;
}

}  // namespace lanescope::viz
