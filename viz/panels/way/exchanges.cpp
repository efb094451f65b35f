// SPDX-License-Identifier: MIT
// See exchanges.hpp.
#include "panels/way/exchanges.hpp"

#include <algorithm>

#include "panels/steps/ptx_operands.hpp"

namespace lanescope::viz {
namespace {

// "%r2" or "0" of selp.f32 %r1, %r2, 0, %p1; "": what decides is not recorded.
std::string_view chosen_by_selp(RegisterHistory& history, int warp, int item,
                                const std::vector<std::string_view>& operands, int lane) {
  std::string_view predicate = operands[3];
  const bool is_negated = predicate.starts_with('!');
  predicate.remove_prefix(is_negated ? 1 : 0);
  const auto value = history.value(warp, item, predicate, lane);
  if (!value) return {};
  return operands[(*value != 0) != is_negated ? 1 : 2];
}

std::optional<Spot> before_selp(RegisterHistory& history, int warp, int item,
                                const std::vector<std::string_view>& operands, const Spot& at) {
  const std::string_view chosen = chosen_by_selp(history, warp, item, operands, at.lane);
  return is_register(chosen) ? std::optional(Spot{chosen, at.lane, at.bit}) : std::nullopt;
}

std::optional<Spot> before_shfl(RegisterHistory& history, int warp, int item,
                                std::string_view mnemonic,
                                const std::vector<std::string_view>& operands, const Spot& at) {
  const auto b = history.value(warp, item, operands[2], at.lane);
  const auto c = history.value(warp, item, operands[3], at.lane);
  if (!b || !c) return std::nullopt;
  const int by = static_cast<int>(*b & 31), segment = static_cast<int>(*c >> 8 & 31);
  const int first = at.lane & segment, last = first | (static_cast<int>(*c & 31) & ~segment);
  const auto is = [&](const char* mode) { return mnemonic.find(mode) != mnemonic.npos; };
  int from = at.lane ^ by;
  if (is(".up")) from = at.lane - by;
  if (is(".down")) from = at.lane + by;
  if (is(".idx")) from = first | (by & ~segment);
  // Here the limit is the lowest lane, of all others the highest.
  const bool is_there = is(".up") ? from >= last : from <= last;
  return Spot{operands[1], is_there ? from : at.lane, at.bit};
}

}  // namespace

bool exchanges(std::string_view mnemonic) {
  return mnemonic.starts_with("selp.") || mnemonic.starts_with("shfl.");
}

std::optional<Spot> before_exchange(RegisterHistory& history, int warp, int item, const Spot& at) {
  const std::string_view ptx = history.item(warp, item).step->ptx;
  const std::vector<std::string_view> operands = operands_of(ptx);
  if (operands.size() < 4) return std::nullopt;
  const std::string_view mnemonic = mnemonic_of(ptx);
  return mnemonic.starts_with("selp.") ? before_selp(history, warp, item, operands, at)
                                       : before_shfl(history, warp, item, mnemonic, operands, at);
}

namespace {

// Bits that are 0 whatever was loaded: shl has shifted zeros there, cvt or ld has widened a number
// without a sign; or mov has brought a zero, as a guard does in place of a load.
enum class Blank { no, widened, brought };

Blank of_both(Blank a, Blank b) {
  return a == Blank::no || b == Blank::no ? Blank::no : std::max(a, b);
}

// Where or has joined two words it has zeros in both. `deep`: through how many of these.
Blank blank_at(RegisterHistory& history, int warp, int item, const Spot& at, int deep = 0) {
  constexpr int kDeepest = 16;  // more parts than a word has, and no loop's worth of them
  if (deep > kDeepest) return Blank::no;
  const int writer = history.writer(warp, item, at.name, at.lane);
  const trace::Write* write = history.written(warp, writer, at.name);
  if (write == nullptr) return Blank::no;
  const trace::Step& step = *history.item(warp, writer).step;
  const std::string_view name = mnemonic_of(step.ptx);
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const auto before = [&](const std::optional<Spot>& from) {
    return from ? blank_at(history, warp, writer, *from, deep + 1) : Blank::no;
  };
  if (name.starts_with("mov.") && operands.size() == 2)
    return is_zero(operands[1]) ? Blank::brought : before(before_move(step, *write, at));
  if (name.starts_with("or.b") && operands.size() == 3)
    return of_both(before(Spot{operands[1], at.lane, at.bit}),
                   before(Spot{operands[2], at.lane, at.bit}));
  const bool has_sign = name.substr(name.rfind('.') + 1).starts_with('s');
  if (name.starts_with("ld."))
    return !has_sign && operands.size() == 2 && is_register(operands[0]) &&
                   at.bit >= 8 * element_bytes(step.ptx)
               ? Blank::widened
               : Blank::no;
  const bool fills = name.starts_with("shl.b") || name.starts_with("shr.u") ||
                     (name.starts_with("cvt.u") && !has_sign);
  if (!places_bits(step)) return Blank::no;
  const std::optional<Spot> from = before_placing(step, at);
  return from ? before(from) : fills ? Blank::widened : Blank::no;
}

}  // namespace

std::optional<Spot> before_joining(RegisterHistory& history, int warp, int item, const Spot& at) {
  const std::string_view ptx = history.item(warp, item).step->ptx;
  const std::vector<std::string_view> operands = operands_of(ptx);
  if (!mnemonic_of(ptx).starts_with("or.b") || operands.size() != 3) return std::nullopt;
  const Spot a{operands[1], at.lane, at.bit}, b{operands[2], at.lane, at.bit};
  const Blank of_a = blank_at(history, warp, item, a), of_b = blank_at(history, warp, item, b);
  // Where both are, the zero is the element's own that was brought.
  if (of_a == Blank::brought && of_b != Blank::no) return a;
  if (of_a != Blank::no) return b;
  return of_b != Blank::no ? std::optional(a) : std::nullopt;
}

bool chooses_zero(RegisterHistory& history, int warp, int item, int lane) {
  const std::string_view ptx = history.item(warp, item).step->ptx;
  const std::vector<std::string_view> operands = operands_of(ptx);
  return mnemonic_of(ptx).starts_with("selp.") && operands.size() == 4 &&
         is_zero(chosen_by_selp(history, warp, item, operands, lane));
}

}  // namespace lanescope::viz
