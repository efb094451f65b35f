// SPDX-License-Identifier: MIT
#include "panels/matrix/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "numeric/format.hpp"
#include "panels/way/tensor_products.hpp"

namespace lanescope::viz {

const layout::Fragment* Multiplication::map(char operand) const {
  if (operand_index(operand) < 0 || instruction == nullptr) return nullptr;
  const layout::Fragment* found = instruction->operand(operand);
  return found != nullptr && found->values > 0 ? found : nullptr;
}

const trace::Fragment* Multiplication::fragment(char operand) const {
  const int index = operand_index(operand);
  return index < 0 ? nullptr : data[static_cast<std::size_t>(index)];
}

layout::Holder Multiplication::holder(char operand, int row, int col) const {
  const layout::Fragment* shape = map(operand);
  if (shape == nullptr || !shape->contains({row, col, 0})) return {-1, -1, -1, -1};
  const auto& holders = (*cells)[static_cast<std::size_t>(operand_index(operand))];
  return holders[static_cast<std::size_t>(row) * static_cast<std::size_t>(shape->cols) +
                 static_cast<std::size_t>(col)];
}

bool Multiplication::columns_of_A_are_k() const {
  const layout::Fragment* a = map('A');
  if (tensor != nullptr) return !tensor->sparse;
  return a == nullptr || a->cols == instruction->K;  // B may be in shared memory
}

std::optional<int> Multiplication::k_of(int row, int col) const {
  if (columns_of_A_are_k()) return col;
  const layout::Fragment* a = map('A');
  if (kept == nullptr || a == nullptr || !a->contains({row, col, 0})) return std::nullopt;
  return (*kept)[static_cast<std::size_t>(row * a->cols + col)];
}

int Multiplication::threads() const {
  for (const char operand : kOperands)
    if (const layout::Fragment* shape = map(operand)) return shape->threads();
  return 0;
}

bool Multiplication::is_drawn(char operand) const {
  if (map(operand) == nullptr) return false;
  return operand != 'A' || threads() == 32 || fragment('A') != nullptr || fragment('D') == nullptr;
}

int matrices_of(const layout::Instruction& instruction) {
  int most = 1;
  for (const char operand : kOperands)
    if (const layout::Fragment* map = instruction.operand(operand))
      most = std::max(most, map->matrices);
  return most;
}

const trace::View* Model::view() const {
  for (const trace::Event& event : trace.events)
    if (const auto* view = std::get_if<trace::View>(&event)) return view;
  return nullptr;
}

std::string place_text(const trace::Place& place) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (place.launch != 0) add(fmt::format("launch {}", place.launch));
  if (place.block != std::array<int, 3>{0, 0, 0})
    add(fmt::format("block {},{},{}", place.block[0], place.block[1], place.block[2]));
  if (place.warp != 0) add(fmt::format("warp {}", place.warp));
  return text;
}

std::string short_name(const Multiplication& in) {
  const layout::Instruction& i = *in.instruction;
  std::string text = fmt::format("{}  m{}n{}k{}  {}", layout::name(i.A.type), i.M, i.N, i.K,
                                 layout::name(i.D.type));
  if (i.K == 0)  // D of tcgen05.mma
    text = fmt::format("tensor memory  m{}n{}  {}", i.M, i.N, layout::name(i.D.type));
  if (in.tensor != nullptr) text += "  in tensor memory";
  if (const int count = matrices_of(i); count > 1)
    text += fmt::format("  matrix {} of 0 to {}", in.matrix, count - 1);
  if (const std::string place = place_text(in.place); !place.empty()) text += "  " + place;
  if (in.steps[0] != nullptr) text += fmt::format("  step {}", in.steps[0]->step);
  return text;
}

std::optional<std::uint64_t> register_bits(const Multiplication& in, char operand, int thread,
                                           int register_index) {
  const trace::Fragment* fragment = in.fragment(operand);
  if (fragment == nullptr || thread < 0 || register_index < 0) return std::nullopt;
  const auto reg = static_cast<std::size_t>(register_index);
  const auto lane = static_cast<std::size_t>(thread);
  if (reg >= fragment->registers.size() || lane >= fragment->registers[reg].size())
    return std::nullopt;
  return fragment->registers[reg][lane];
}

std::optional<std::uint64_t> element_bits(const Multiplication& in, char operand,
                                          const layout::Holder& holder) {
  const layout::Fragment* map = in.map(operand);
  const auto bits = register_bits(in, operand, holder.thread, holder.register_index);
  if (map == nullptr || !bits) return std::nullopt;
  const std::uint64_t mask =
      map->payload_bits() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << map->payload_bits()) - 1;
  return (*bits >> holder.bit) & mask;
}

std::string value_text(const Multiplication& in, char operand, const layout::Holder& holder) {
  const layout::Fragment* map = in.map(operand);
  const auto bits = element_bits(in, operand, holder);
  if (map == nullptr || !bits) return {};
  return numeric::to_text(layout::name(map->type), *bits).value_or("?");
}

std::string hex(std::uint64_t pattern, int bits) {
  return fmt::format("0x{:0{}x}", pattern, (bits + 3) / 4);
}

}  // namespace lanescope::viz
