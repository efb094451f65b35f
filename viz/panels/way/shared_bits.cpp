// SPDX-License-Identifier: MIT
// See shared_bits.hpp.
#include "panels/way/shared_bits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"

namespace lanescope::viz {
namespace {

// Which values an operand has: its warp, its registers, and who wrote the first of them.
using Values = std::tuple<int, std::string_view, int>;

Values values_of(const Model& model, RegisterHistory& history, std::size_t product, char operand) {
  const Multiplication& in = model.multiplications[product];
  const StepPlace place = product_step(history.list(), in, 0);
  if (place.item < 0) return {-1, {}, -1};
  const std::vector<std::string_view> names =
      matrix_registers(history.item(place.warp, place.item).step->ptx, operand);
  if (names.empty()) return {-1, {}, -1};
  const int writer = history.writer(place.warp, place.item, names[0], 0);
  return {writer < 0 ? -1 : place.warp, names[0], writer};
}

bool is_packed(const OriginCheck& check) {
  return !check.bits.empty() && !is_wrong(check.diagnosis.verdict);
}

// All of them: the same columns once more, as at an edge. None: others.
void compare(const OriginCheck& one, OriginCheck& other, std::size_t product, char operand) {
  std::size_t shared = 0;
  const std::string* first = nullptr;
  for (const auto& [bit, place] : other.bits)
    if (one.bits.count(bit) != 0 && shared++ == 0) first = &place;
  if (shared == 0 || shared == other.bits.size()) return;
  const auto all = other.bits.size();
  other = mistaken(
      kBitsTwice,
      fmt::format("{} of {} elements of {} are made of the same bits as elements of {} of product "
                  "{}, which {} is multiplied by, too: the first is {}",
                  shared, all, operand, operand, product + 1,
                  operand == 'B' ? "the same A" : "the same B", *first),
      kBitsTwiceAdvice);
}

}  // namespace

void name_shared_bits(const Model& model, RegisterHistory& history,
                      std::map<std::size_t, ProductCheck>& products) {
  for (const char operand : {'A', 'B'}) {
    std::map<Values, std::vector<std::size_t>> beside;  // by what they are multiplied by
    for (const auto& [index, of] : products)
      if (is_packed(operand == 'A' ? of.a : of.b))
        beside[values_of(model, history, index, operand == 'A' ? 'B' : 'A')].push_back(index);
    for (const auto& [values, all] : beside) {
      if (std::get<0>(values) < 0) continue;
      for (std::size_t k = 1; k < all.size(); ++k) {
        ProductCheck& one = products[all[k - 1]];
        ProductCheck& other = products[all[k]];
        OriginCheck& check = operand == 'A' ? other.a : other.b;
        compare(operand == 'A' ? one.a : one.b, check, all[k - 1], operand);
        if (is_wrong(check.diagnosis.verdict)) other.in_order = false;
      }
    }
  }
}

}  // namespace lanescope::viz
