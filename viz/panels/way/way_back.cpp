// SPDX-License-Identifier: MIT
// See way_back.hpp, way_teller.hpp.
#include "panels/way/way_back.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/exchanges.hpp"
#include "panels/way/way_teller.hpp"
#include "panels/way/wmma_moves.hpp"

namespace lanescope::viz {
namespace {

constexpr int kMostHops = 24;

}  // namespace

// Backwards from a register, as it is when the item comes to run: who wrote it, and so on.
void Teller::from_register(int warp, int item, Spot at) {
  if (++hops_ > kMostHops) return end("it was moved about more often than is followed");
  const int writer = history_.writer(warp, item, at.name, at.lane);
  const trace::Write* write = writer < 0 ? nullptr : history_.written(warp, writer, at.name);
  if (write == nullptr) return end("what wrote " + std::string(at.name) + " is not recorded");
  if (!holds(*write, at)) return end("the bits of " + std::string(at.name) + " differ there");
  written_by_item(warp, writer, *write, at);
}

// Backwards from what an instruction wrote.
void Teller::written_by_item(int warp, int item, const trace::Write& write, Spot at) {
  const StepItem& it = history_.item(warp, item);
  const trace::Step& step = *it.step;
  const std::string_view name = mnemonic_of(step.ptx);
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  if (name.starts_with("ldmatrix") && it.access != nullptr)
    return by_ldmatrix(warp, item, write, at);
  if (name.starts_with("ld.") && !name.starts_with("ld.param") && operands.size() == 2)
    return by_load(warp, item, operands[1], at, offset_of_load(step, at));
  if (name.starts_with("wmma.load") && operands.size() >= 2)
    return by_load(warp, item, operands[1], at, offset_of_fragment(history_, {warp, item, {}}, at));
  if (name.starts_with("mov.") && operands.size() == 2 &&
      place_among(registers_in(operands[0]), at.name) < 0)
    return stop(warp, item, at.lane, "takes the sum over: " + register_text(step, at));
  if (name.starts_with("mov.") && operands.size() == 2 && is_zero(operands[1]))
    return fill(warp, item, at);
  if (name.starts_with("mov.") && operands.size() == 2)
    if (const std::size_t parts = registers_in(operands[1]).size(); parts > 0)
      return by_move(warp, item, write, parts > 1, at);
  if (exchanges(name)) return by_exchange(warp, item, at);
  if (const auto before = before_joining(history_, warp, item, at))
    return from_register(warp, item, *before);
  if (const auto before = before_conversion(step, at, width_))
    return by_conversion(warp, item, *before, at);
  if (const auto before = before_unpacking(history_, warp, item, at, width_))
    return by_unpacking(warp, item, *before, at);
  if (places_bits(step))
    if (const auto before = before_placing(step, at)) return from_register(warp, item, *before);
  const bool product = name.starts_with("mma.") || name.starts_with("wmma.mma") ||
                       name.starts_with("wgmma.wait_group");
  stop(warp, item, at.lane,
       fmt::format("{}: {}", product ? "makes it" : "works it out", register_text(step, at)));
}

// One register into another, or several packed into one: those alone are told.
void Teller::by_move(int warp, int item, const trace::Write& write, bool packs, Spot at) {
  const trace::Step& step = *history_.item(warp, item).step;
  const std::optional<Spot> from = before_move(step, write, at);
  if (!from) return end("what it was made of is not recorded");
  if (!packs &&
      history_.writer(warp, item, from->name, at.lane) < 0)  // %tid, or another special one
    return stop(warp, item, at.lane, fmt::format("works it out: {}", register_text(step, at)));
  if (packs) stop(warp, item, at.lane, fmt::format("packs it: {}", register_text(step, at)));
  from_register(warp, item, *from);
}

// Which of two a lane has chosen is told by the register before it alone.
void Teller::by_exchange(int warp, int item, Spot at) {
  const trace::Step& step = *history_.item(warp, item).step;
  const std::optional<Spot> from = before_exchange(history_, warp, item, at);
  if (!from && chooses_zero(history_, warp, item, at.lane)) return fill(warp, item, at);
  if (!from)
    return stop(warp, item, at.lane, fmt::format("works it out: {}", register_text(step, at)));
  if (mnemonic_of(step.ptx).starts_with("shfl"))
    stop(warp, item, at.lane,
         fmt::format("from lane {}, {}, to {}", from->lane, from->name, register_text(step, at)));
  from_register(warp, item, *from);
}

// As a guard does at the edge of a matrix.
void Teller::fill(int warp, int item, Spot at) {
  way_.zero = true;
  stop(warp, item, at.lane,
       fmt::format("fills in a zero: {}", register_text(*history_.item(warp, item).step, at)));
}

// Its place stays what it was, its bits do not.
void Teller::by_conversion(int warp, int item, const Converted& before, Spot at) {
  stop(warp, item, at.lane,
       fmt::format("from {}, {}, to {}", before.from.name, before.type,
                   register_text(*history_.item(warp, item).step, at)));
  bits_.reset();
  width_ = before.width;
  from_register(warp, item, before.from);
}

// A part of a word that becomes a number of its own.
void Teller::by_unpacking(int warp, int item, const Unpacked& before, Spot at) {
  if (before.width < width_)
    stop(warp, item, at.lane,
         fmt::format("from bits {} to {} of {} to {}", before.from.bit,
                     before.from.bit + before.width - 1, before.from.name,
                     register_text(*history_.item(warp, item).step, at)));
  bits_.reset();
  is_unpacked_ = true;
  width_ = before.width;
  from_register(warp, item, before.from);
}

void Teller::stop(int warp, int item, int lane, const std::string& text) {
  way_.stops.push_back(
      {{warp, item, {}}, lane, way_opcode(*history_.item(warp, item).step) + ": " + text});
}

std::string Teller::register_text(const trace::Step& step, const Spot& at) const {
  std::string name(at.name);
  int bits = 32;
  for (const trace::Write& write : step.writes)
    if (write.name == at.name) {
      if (!write.watch.empty()) name += " (" + write.watch + ")";
      bits = write.bits;
    }
  if (width_ < bits) name += fmt::format(", bits {} to {}", at.bit, at.bit + width_ - 1);
  return fmt::format("lane {}, {}", at.lane, name);
}

bool Teller::holds(const trace::Write& write, const Spot& at) const {
  const std::uint64_t mask = width_ >= 64 ? ~0ull : (1ull << width_) - 1;
  return at.bit + width_ <= write.bits && at.lane < static_cast<int>(write.lanes.size()) &&
         (!bits_ || (write.lanes[static_cast<std::size_t>(at.lane)] >> at.bit & mask) == *bits_);
}

Way Teller::told() {
  std::reverse(way_.stops.begin(), way_.stops.end());
  return std::move(way_);
}

std::string way_opcode(const trace::Step& step) {
  const std::string_view whole = mnemonic_of(step.ptx);
  std::size_t end = std::min(whole.find('.'), whole.size());
  for (const std::string_view two :
       {"ld.global", "ld.shared", "st.shared", "st.global", "cp.async", "wmma.load", "wmma.store"})
    if (whole.starts_with(two)) end = two.size();
  return std::string(whole.substr(0, end));
}

Way way_back(const trace::Trace& trace, RegisterHistory& history, const StepPlace& writer,
             const Spot& at, int width, std::uint64_t bits) {
  Teller teller(trace, history, width, bits);
  teller.from_register(writer.warp, writer.item + 1, at);
  return teller.told();
}

Way way_back_to(const trace::Trace& trace, RegisterHistory& history, const Multiplication& in,
                char operand, int row, int col) {
  const layout::Holder held = in.holder(operand, row, col);
  const RegisterStep by = register_step(history, in, operand, held.thread, held.register_index);
  const auto bits = element_bits(in, operand, held);
  if (by.place.item < 0 || !bits) return {};
  Teller teller(trace, history, in.map(operand)->payload_bits(), bits);
  teller.from_register(by.place.warp, by.place.item + 1, {by.name, held.thread % 32, held.bit});
  return teller.told();
}

Way way_back_from_shared(const trace::Trace& trace, RegisterHistory& history,
                         const SharedRead& read) {
  Teller teller(trace, history, read.width, std::nullopt);
  teller.from_shared(read);
  return teller.told();
}

}  // namespace lanescope::viz
