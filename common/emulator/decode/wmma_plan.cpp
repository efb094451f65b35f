// SPDX-License-Identifier: MIT
#include <cstdio>
#include <string>

#include "emulator/decode/matrix_plan.hpp"
#include "emulator/decode/wmma.hpp"

#include <algorithm>
#include "layout/instruction.hpp"

namespace lanescope::emulator {
namespace {

// The atlas's map of a fragment, or nullptr. It is the same for every layout, and a matrix of C or
// D does not care what A and B are made of.
const layout::Fragment* recorded_map(WmmaShape shape, char operand, Type type) {
  for (const layout::Instruction& i : layout::instructions()) {
    if (i.family != "wmma" || i.M != shape.M || i.N != shape.N || i.K != shape.K) continue;
    const layout::Fragment& f = operand == 'a' ? i.A : operand == 'b' ? i.B : i.C;
    if (layout::name(f.type) == info(type).name) return &f;
  }
  return nullptr;
}

// Keeps one entry a register where its elements follow each other in memory, too: most do, and one
// move of four bytes is cheaper than two of two. follows(k): entry k lies right behind entry k - 1.
template <class Entry, class Follows>
void join_pieces(WmmaOperand& plan, std::vector<Entry>& entries, Follows follows) {
  const auto per = static_cast<std::size_t>(plan.per_register());
  plan.piece_bytes = plan.element_bytes;
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (k % per != 0 && !follows(k)) return;
  plan.piece_bytes = plan.register_bytes;
  for (std::size_t k = 0; k < entries.size() / per; ++k) entries[k] = entries[k * per];
  entries.resize(entries.size() / per);
}

}  // namespace

WmmaShape parse_wmma_shape(std::string_view text) {
  WmmaShape shape;
  char after = 0;
  if (std::sscanf(std::string(text).c_str(), "m%dn%dk%d%c", &shape.M, &shape.N, &shape.K, &after) !=
      3)
    return {};
  return shape;
}

bool plan_wmma_operand(WmmaShape shape, char operand, Type type, WmmaOperand& plan) {
  const layout::Fragment* map = recorded_map(shape, operand, type);
  if (map == nullptr) return false;
  plan.registers = map->registers();
  plan.rows = map->rows;
  plan.cols = map->cols;
  if (info(type).bits < 8) {
    plan.together = 32 / info(type).bits;
    (operand == 'a' ? plan.cols : plan.rows) /= plan.together;
  }
  plan.element_bytes = plan.together > 1 ? 4 : bytes_of(type);
  plan.register_bytes = type == Type::f64 ? 8 : 4;
  const int per = plan.per_register();
  for (int reg = 0; reg < plan.registers; ++reg) {
    for (int lane = 0; lane < 32; ++lane) {
      for (int k = 0; k < per; ++k) {
        layout::Element at = map->element(lane, (reg * per + k) * plan.together);
        (operand == 'a' ? at.col : at.row) /= plan.together;
        plan.elements.push_back(static_cast<std::uint32_t>(at.row * plan.cols + at.col));
      }
    }
  }
  return true;
}

void place_wmma_operand(const TensorShape& shape, char operand, WmmaOperand& plan) {
  for (const std::uint32_t element : plan.elements) {
    if (shape.accumulator == TensorType::f64) {
      plan.places.push_back(element * 8);
      continue;
    }
    int row = static_cast<int>(element) / plan.cols, col = static_cast<int>(element) % plan.cols;
    (operand == 'a' ? col : row) *= plan.together;
    const FragmentPlace at = operand == 'a'   ? place_of_a(shape, row, col)
                             : operand == 'b' ? place_of_b(shape, row, col)
                                              : place_of_c(shape, row, col);
    plan.places.push_back(static_cast<std::uint32_t>(byte_of(at)));
  }
  const auto bytes = static_cast<std::uint32_t>(plan.element_bytes);
  join_pieces(plan, plan.places,
              [&](std::size_t k) { return plan.places[k] == plan.places[k - 1] + bytes; });
}

void plan_wmma_moves(WmmaPlan& plan) {
  const auto cols = static_cast<std::uint32_t>(plan.D.cols);
  const auto bytes = static_cast<std::uint32_t>(plan.D.element_bytes);
  for (const std::uint32_t element : plan.D.elements) {
    const std::uint32_t row = element / cols, col = element % cols;
    plan.moves.push_back({static_cast<std::uint16_t>(plan.row_major ? row : col),
                          static_cast<std::uint16_t>((plan.row_major ? col : row) * bytes)});
  }
  join_pieces(plan.D, plan.moves, [&](std::size_t k) {
    const WmmaMove& before = plan.moves[k - 1];
    return plan.moves[k].line == before.line && plan.moves[k].byte == before.byte + bytes;
  });
}

void plan_wmma_alignment(WmmaPlan& plan, char operand, bool is_shared) {
  const bool is_factor = operand == 'a' || operand == 'b';
  // .trans of ldmatrix is for 16 bits: bytes must lie along K as they are.
  const bool as_it_lies = plan.row_major == (operand == 'a');
  const int bytes = plan.D.element_bytes;
  plan.by_ldmatrix = is_shared && is_factor && (bytes == 2 || (bytes == 1 && as_it_lies));
  const bool pairs = operand == 'c' && bytes == 4 && plan.row_major;  // two sums at once
  plan.alignment = plan.by_ldmatrix ? 16 : pairs ? 8 : std::max(plan.D.piece_bytes, bytes);
}

}  // namespace lanescope::emulator
