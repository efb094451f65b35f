// SPDX-License-Identifier: MIT
// See descriptor_reads.hpp. Which operand of the instruction is what: PTX ISA 9.2, 9.7.15.5.2
// (wgmma.mma_async) and 9.7.15.6.2 (.sp).
#include "panels/way/descriptor_reads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "layout/tables.hpp"
#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

bool is_wgmma(const trace::Step& step) {
  return mnemonic_of(step.ptx).starts_with("wgmma.mma_async");
}

// Elements of 16 bits alone may lie with M or N side by side.
layout::Major major_of(const std::vector<std::string_view>& operands, char operand, int bits) {
  if (bits != 16 || operands.size() < 7) return layout::Major::K;
  const bool both = !operands[1].starts_with('{');
  const std::size_t from_end = operand == 'A' && both ? 2 : 1;
  return operands[operands.size() - from_end] == "1" ? layout::Major::MN : layout::Major::K;
}

// Of the same wgmma in the four warps of a warpgroup the one told of first: the others are told of
// when that one has run.
StepPlace reader_of(RegisterHistory& history, const StepPlace& place) {
  const StepWarp& of = history.warp(place.warp);
  StepPlace first = place;
  for (std::size_t w = 0; w < history.list().warps.size(); ++w) {
    const StepWarp& other = history.list().warps[w];
    if (other.launch != of.launch || other.block != of.block || other.warp / 4 != of.warp / 4)
      continue;
    const StepPlace there{static_cast<int>(w), history.same_wgmma(place, static_cast<int>(w)), {}};
    if (there.item < 0) continue;
    if (std::less<>()(history.item(there.warp, there.item).step,
                      history.item(first.warp, first.item).step))
      first = there;
  }
  return first;
}

// From where its sums arrive on, and how often they have arrived behind each wgmma that adds to
// them, until `visit` is false.
void walk_back(RegisterHistory& history, const Multiplication& in,
               const std::function<bool(const StepPlace& place, int round)>& visit) {
  const RegisterStep arrived = register_step(history, in, 'D', 0, 0);
  int round = 0;
  for (int at = arrived.place.item - 1; at >= 0; --at) {
    const trace::Step& step = *history.item(arrived.place.warp, at).step;
    const StepPlace place{arrived.place.warp, at, {}};
    if (history.written(place.warp, at, arrived.name) != nullptr) {
      if (!mnemonic_of(step.ptx).starts_with("wgmma.wait_group")) return;
      ++round;
      continue;
    }
    if (!is_wgmma(step)) continue;
    const std::vector<std::string_view> operands = operands_of(step.ptx);
    if (operands.empty() || place_among(registers_in(operands[0]), arrived.name) < 0) continue;
    if (!visit(place, round) || !adds_to_sums(history, place)) return;
  }
}

}  // namespace

std::optional<std::uint64_t> uniform_value(RegisterHistory& history, const StepPlace& place,
                                           std::string_view name) {
  const int lane = first_lane(*history.item(place.warp, place.item).step);
  return history.value(place.warp, place.item, name, lane);
}

std::string DescriptorRead::element(std::int64_t at_mn, std::int64_t at_k) const {
  at_k *= packed;
  return operand == 'A' ? fmt::format("A[{}][{}]", at_mn, at_k)
                        : fmt::format("{}[{}][{}]", operand, at_k, at_mn);
}

std::optional<DescriptorRead> descriptor_read(RegisterHistory& history, const StepPlace& place,
                                              char operand) {
  const trace::Step& step = *history.item(place.warp, place.item).step;
  const layout::Instruction* i = layout::find(mnemonic_of(step.ptx));
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const std::size_t at = operand == 'A' ? 1 : 2;
  if (!is_wgmma(step) || i == nullptr || operands.size() <= at || operands[at].starts_with('{'))
    return std::nullopt;
  DescriptorRead read;
  read.place = place;
  read.reader = reader_of(history, place);
  read.operand = operand;
  read.name = operands[at];
  read.width = layout::container_bits(i->A.type);
  read.major = major_of(operands, operand, read.width);
  read.mn = operand == 'A' ? i->M : i->N;
  read.k = operand == 'A' ? i->A.cols : i->K;
  read.bits = uniform_value(history, place, read.name);
  if (read.bits) read.descriptor = layout::decode(*read.bits);
  return read;
}

bool adds_to_sums(RegisterHistory& history, const StepPlace& place) {
  const trace::Step& step = *history.item(place.warp, place.item).step;
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const std::size_t at = mnemonic_of(step.ptx).starts_with("wgmma.mma_async.sp") ? 5 : 3;
  if (at >= operands.size()) return true;
  const std::string_view scale = operands[at];
  if (scale == "0" || scale == "false") return false;
  return uniform_value(history, place, scale).value_or(1) != 0;
}

std::vector<Adding> wgmmas_of(RegisterHistory& history, const Multiplication& in,
                              std::size_t most) {
  std::vector<Adding> found;
  std::vector<int> rounds;  // how often the sums have arrived after each of them
  walk_back(history, in, [&](const StepPlace& place, int round) {
    found.push_back({place, 0});
    rounds.push_back(round);
    return found.size() < most;
  });
  std::reverse(found.begin(), found.end());
  std::reverse(rounds.begin(), rounds.end());
  std::size_t whole = 0;  // where the first round begins of which none is left out
  for (std::size_t k = 1; k < found.size(); ++k) {
    found[k].nth = rounds[k] == rounds[k - 1] ? found[k - 1].nth + 1 : 0;
    if (whole == 0 && found[k].nth == 0) whole = k;
  }
  if (found.size() == most)
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(whole));
  return found;
}

std::vector<StepPlace> own_wgmmas(RegisterHistory& history, const Multiplication& in) {
  std::vector<StepPlace> found;
  walk_back(history, in, [&found](const StepPlace& place, int round) {
    if (round == 0) found.push_back(place);
    return round == 0;
  });
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace lanescope::viz
