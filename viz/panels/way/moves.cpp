// SPDX-License-Identifier: MIT
// See moves.hpp.
#include "panels/way/moves.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "layout/mover.hpp"
#include "panels/steps/ptx_operands.hpp"

namespace lanescope::viz {
namespace {

constexpr std::size_t kLanes = 32;

// A lane's address is that of a row; its elements were in the registers of others.
std::optional<Spot> before_stmatrix(const layout::Mover& mover,
                                    const std::vector<std::string_view>& names, int lane,
                                    int offset, int bit) {
  const auto row = mover.addressed_row(lane);
  if (!row) return std::nullopt;
  const int bits = mover.registers.element_bits;
  for (const layout::Holder& held :
       layout::holders(mover.registers, {row->row, offset * 8 / bits, row->matrix}))
    if (static_cast<std::size_t>(held.register_index) < names.size())
      return Spot{names[static_cast<std::size_t>(held.register_index)], held.thread,
                  held.bit + offset * 8 % bits + bit};
  return std::nullopt;
}

// The pieces of a lane fill its registers one after another: which one it is, and where in it.
std::optional<std::uint64_t> loaded_piece(const StepItem& item, const Spot& at) {
  const std::vector<std::string_view> operands = operands_of(item.step->ptx);
  if (item.access == nullptr || item.access->active == 0 || operands.empty()) return std::nullopt;
  const std::vector<std::string_view> names = registers_in(operands.front());
  const int index = place_among(names, at.name), bytes = item.access->bytes_per_lane;
  const std::size_t pieces = item.access->addresses.size() / kLanes;
  if (index < 0 || pieces % names.size() != 0) return std::nullopt;
  const std::size_t piece = static_cast<std::size_t>(index) * (pieces / names.size()) +
                            static_cast<std::size_t>(at.bit / 8 / bytes);
  if (piece >= pieces) return std::nullopt;
  return item.access->addresses[piece * kLanes + static_cast<std::size_t>(at.lane)] +
         static_cast<std::uint64_t>(at.bit / 8 % bytes);
}

std::optional<Spot> stored_piece(const StepItem& item, const std::vector<std::string_view>& names,
                                 int lane, std::uint64_t address, int bit) {
  const std::size_t pieces = item.access->addresses.size() / kLanes;
  if (names.empty() || pieces % names.size() != 0) return std::nullopt;
  const std::size_t each = pieces / names.size();
  const auto bytes = static_cast<std::uint64_t>(item.access->bytes_per_lane);
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const std::uint64_t from =
        item.access->addresses[piece * kLanes + static_cast<std::size_t>(lane)];
    if (address < from || address >= from + bytes) continue;
    const std::uint64_t byte = piece % each * bytes + (address - from);
    return Spot{names[piece / each], lane, static_cast<int>(byte) * 8 + bit};
  }
  return std::nullopt;
}

}  // namespace

int place_among(const std::vector<std::string_view>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

std::optional<Spot> before_move(const trace::Step& step, const trace::Write& write,
                                const Spot& at) {
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  if (operands.size() != 2) return std::nullopt;
  const std::vector<std::string_view> to = registers_in(operands[0]),
                                      from = registers_in(operands[1]);
  if (from.empty() || to.empty()) return std::nullopt;
  // Of several that one becomes, the others come before it.
  const int bit = at.bit + std::max(place_among(to, at.name), 0) * write.bits;
  const int part =
      std::max(write.bits * static_cast<int>(to.size()) / static_cast<int>(from.size()), 1);
  const auto which = static_cast<std::size_t>(bit / part);
  if (which >= from.size()) return std::nullopt;
  return Spot{from[which], at.lane, bit % part};
}

bool places_bits(const trace::Step& step) {
  const std::string_view name = mnemonic_of(step.ptx);
  const auto begins = [name](const char* with) { return name.starts_with(with); };
  if (begins("cvt.u") || begins("cvt.s") || begins("prmt.b32")) return true;
  if (!begins("shl.b") && !begins("shr.b") && !begins("shr.u")) return false;
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const auto by = operands.size() == 3 ? whole_number(operands[2]) : std::nullopt;
  return by && *by >= 8;
}

std::optional<Spot> before_placing(const trace::Step& step, const Spot& at) {
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const std::string_view name = mnemonic_of(step.ptx);
  if (name.starts_with("cvt.")) {
    // .u64.u32: the last type is the source's; only whole numbers keep their bits.
    const std::string_view from = name.substr(name.rfind('.') + 1);
    const bool is_whole = from.starts_with('u') || from.starts_with('s');
    const int bits = is_whole ? 8 * element_bytes(step.ptx) : 0;
    return operands.size() == 2 && at.bit < bits ? std::optional(Spot{operands[1], at.lane, at.bit})
                                                 : std::nullopt;
  }
  const auto number = operands.size() > 2 ? whole_number(operands.back()) : std::nullopt;
  if (!number) return std::nullopt;
  if (name.starts_with("prmt")) {
    const auto selected = static_cast<int>(*number >> at.bit / 8 * 4 & 15);
    if (operands.size() != 4 || selected > 7) return std::nullopt;  // above: its sign, eight times
    return Spot{operands[selected < 4 ? 1 : 2], at.lane, selected % 4 * 8 + at.bit % 8};
  }
  const std::int64_t bit = at.bit + (name.starts_with("shl") ? -*number : *number);
  return bit >= 0 && bit < 64 ? std::optional(Spot{operands[1], at.lane, static_cast<int>(bit)})
                              : std::nullopt;
}

std::vector<Worked> worked_out_from(const trace::Step& step, const trace::Write& write,
                                    const Spot& at) {
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const std::string_view name = mnemonic_of(step.ptx);
  const bool pairs = name.find("x2") != std::string_view::npos;
  std::vector<Worked> all;
  if (pairs && name.starts_with("cvt.") && operands.size() == 3) {  // the upper one comes first
    const std::size_t which = at.bit >= write.bits / 2 ? 1 : 2;
    const std::vector<std::string_view> from = registers_in(operands[which]);
    if (from.size() == 1) all.push_back({which, {from[0], at.lane, 0}});
    return all;
  }
  // Where several elements lie in a register, each of their bits is made of those at its place, but
  // for what a sum carries.
  constexpr std::string_view kInPlace[] = {"or.b",  "and.b", "xor.b", "not.b", "add.u",
                                           "add.s", "sub.u", "sub.s", "lop3.b"};
  const bool stays = std::any_of(std::begin(kInPlace), std::end(kInPlace),
                                 [name](std::string_view word) { return name.starts_with(word); });
  const int bit = stays ? at.bit : pairs ? at.bit / 16 * 16 : 0;
  for (std::size_t k = 1; k < operands.size(); ++k) {
    std::vector<std::string_view> sources = registers_in(operands[k]);
    if (sources.empty() && is_register(operands[k])) sources = {operands[k]};
    for (const std::string_view source : sources) all.push_back({k, {source, at.lane, bit}});
  }
  return all;
}

int offset_of_load(const trace::Step& step, const Spot& at) {
  const std::vector<std::string_view> operands = operands_of(step.ptx);
  const int index = operands.empty() ? 0 : place_among(registers_in(operands[0]), at.name);
  return std::max(index, 0) * element_bytes(step.ptx) + at.bit / 8;
}

std::optional<std::uint64_t> before_load(const StepItem& item, const Spot& at) {
  const std::string_view name = mnemonic_of(item.step->ptx);
  if (name.starts_with("wmma.load")) return loaded_piece(item, at);
  const auto lane = static_cast<std::size_t>(at.lane);
  if (item.access == nullptr || lane >= item.access->addresses.size() ||
      (item.access->active >> lane & 1) == 0)
    return std::nullopt;
  return item.access->addresses[lane] + static_cast<std::uint64_t>(offset_of_load(*item.step, at));
}

std::optional<MatrixByte> before_ldmatrix(const StepItem& item, const trace::Write& write,
                                          const Spot& at) {
  const layout::Mover* mover =
      item.access == nullptr ? nullptr : layout::find_mover(item.access->instruction);
  if (mover == nullptr) return std::nullopt;
  const auto index = static_cast<int>(&write - item.step->writes.data());
  const int bits = mover->registers.element_bits;
  const int value = index * mover->registers.values_per_register() + at.bit / bits;
  const layout::Element e = mover->registers.element(at.lane, value);
  const int row = e.matrix * mover->registers.rows + e.row;
  if (row < 0 || static_cast<std::size_t>(row) >= item.access->addresses.size())
    return std::nullopt;
  const int offset_bits = e.col * bits + at.bit % bits;
  return MatrixByte{item.access->addresses[static_cast<std::size_t>(row)] +
                        static_cast<std::uint64_t>(offset_bits / 8),
                    offset_bits % 8, row};
}

std::optional<Spot> before_store(const StepItem& item, int lane, std::uint64_t address, int bit) {
  const std::vector<std::string_view> operands = operands_of(item.step->ptx);
  const std::string_view name = mnemonic_of(item.step->ptx);
  if (operands.size() < 2 || item.access == nullptr) return std::nullopt;
  const std::vector<std::string_view> names = registers_in(operands[1]);
  if (name.starts_with("wmma.store")) return stored_piece(item, names, lane, address, bit);
  const int offset =
      static_cast<int>(address - item.access->addresses[static_cast<std::size_t>(lane)]);
  if (name.starts_with("st.")) {
    const int bytes = std::max(element_bytes(item.step->ptx), 1);
    const auto which = static_cast<std::size_t>(offset / bytes);
    if (which >= names.size()) return std::nullopt;
    return Spot{names[which], lane, offset % bytes * 8 + bit};
  }
  const layout::Mover* mover = layout::find_mover(name);
  return mover == nullptr ? std::nullopt : before_stmatrix(*mover, names, lane, offset, bit);
}

}  // namespace lanescope::viz
