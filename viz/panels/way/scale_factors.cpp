// SPDX-License-Identifier: MIT
// See scale_factors.hpp.
#include "panels/way/scale_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "panels/steps/ptx_operands.hpp"
#include "panels/steps/step_products.hpp"
#include "panels/way/tile_at.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

constexpr const char* kAdvice =
    "thread-id says which lanes of each four hand in the factors, byte-id which byte of their "
    "word: "
    "`view --text --select \"lane 0\"` says whose these are";

const char* line_word(char operand) { return operand == 'S' ? "row" : "column"; }

}  // namespace

// Nothing where its rows, or columns, do not lie one behind the other along k.
std::optional<ScaleFactors::Operand> ScaleFactors::operand_of(int product, char operand) {
  const Multiplication& in = at(product);
  const char of = operand == 'S' ? 'A' : 'B';
  const layout::Fragment* map = in.map(of);
  if (map == nullptr || map->element_bits > 8) return std::nullopt;
  const bool is_a = of == 'A';
  const Way first = way_back_to(model_.trace, history_, in, of, 0, 0);
  const Way next = way_back_to(model_.trace, history_, in, of, is_a ? 1 : 0, is_a ? 0 : 1);
  if (!first.address || !next.address || first.base == 0 || next.base != first.base)
    return std::nullopt;
  const auto apart = static_cast<std::int64_t>(*next.address - *first.address);
  const auto behind = static_cast<std::int64_t>(*first.address - first.base);
  const int in_byte = 8 / map->element_bits;
  const int each = in.instruction->K / in.instruction->SFA.cols;
  if (apart <= 0 || behind < 0 || apart * in_byte % each != 0) return std::nullopt;
  return Operand{behind / apart, behind % apart * in_byte, apart * in_byte / each};
}

// Every factor that the product takes; false where one is not known.
bool ScaleFactors::add(int product, char operand, const Operand& of, std::vector<Factor>& all,
                       std::string& why) {
  const Multiplication& in = at(product);
  const layout::Fragment& map = *in.scaled->operand(operand);
  const StepPlace place = product_step(history_.list(), in, 0);
  if (place.item < 0) return false;
  const trace::Step& step = *history_.item(place.warp, place.item).step;
  const std::vector<std::string_view> names = matrix_registers(step.ptx, operand);
  const bool is_a = operand == 'S';
  const int each = in.instruction->K / in.instruction->SFA.cols;
  for (int row = 0; row < map.rows; ++row)
    for (int col = 0; col < map.cols; ++col) {
      const std::vector<layout::Holder> held = layout::holders(map, {row, col});
      if (held.empty() || names.empty()) return false;
      const Spot at{names[0], held.front().thread, held.front().bit};
      const int writer = history_.writer(place.warp, place.item, at.name, at.lane);
      const trace::Write* write = history_.written(place.warp, writer, at.name);
      if (write == nullptr) return false;
      constexpr int kByte = 8;
      const Way way = way_back(model_.trace, history_, {place.warp, writer, {}}, at, kByte,
                               write->lanes[static_cast<std::size_t>(at.lane)] >> at.bit & 0xff);
      if (!way.address) {
        why =
            unknown_origin(fmt::format("{}[{}][{}]", layout::operand_name(operand), row, col), way);
        return false;
      }
      all.push_back({product, of.line + (is_a ? row : col), of.k / each + (is_a ? col : row),
                     *way.address, way.base, way.place});
    }
  return true;
}

// Where the first line's factors begin, if each line has as many as its row has chunks: where the
// parameter leads, but where no product has it so and most agree on another place; nothing: they
// lie otherwise.
std::optional<std::int64_t> ScaleFactors::begin_of(const std::vector<Factor>& all,
                                                   std::int64_t chunks) {
  std::map<std::int64_t, int> begins;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto of = [&](const Factor& one) {
      return static_cast<std::int64_t>(one.address) - one.line * chunks - one.chunk;
    };
    ++begins[of(all[k])];
    const bool same = k > 0 && all[k].product == all[k - 1].product;
    if (same && of(all[k]) != of(all[k - 1])) return std::nullopt;  // not even in one product
  }
  const auto most =
      std::max_element(begins.begin(), begins.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto base = static_cast<std::int64_t>(all.front().base);
  const bool is_most = 2 * static_cast<std::size_t>(most->second) > all.size();
  return base != 0 && (begins.count(base) != 0 || !is_most) ? base : most->first;
}

// As if each line were that of the other eight: of the two lanes that hand in SFA's factors the
// first has those of rows 0 to 7.
std::vector<ScaleFactors::Factor> ScaleFactors::eight_exchanged(std::vector<Factor> all) {
  std::map<int, std::int64_t> first;  // of a product
  for (const Factor& one : all) first.try_emplace(one.product, one.line);
  for (Factor& one : all) one.line = first[one.product] + ((one.line - first[one.product]) ^ 8);
  return all;
}

std::vector<SumCheck> ScaleFactors::exchanged(const std::vector<Factor>& all, char operand) {
  std::vector<SumCheck> wrong;
  for (const Factor& one : all) {
    if (!wrong.empty() && wrong.back().product == one.product) continue;
    wrong.push_back(mistaken_sum(
        one.product, "scale-lanes",
        fmt::format("{}s {} and {} are scaled by each other's factors", line_word(operand),
                    range_text(one.line, 8), range_text(one.line + 8, 8)),
        "of the two lanes of four that thread-id names the first hands in the factor of row lane / "
        "4, the second that of row lane / 4 + 8"));
    wrong.back().operand = operand;
  }
  return wrong;
}

std::vector<SumCheck> ScaleFactors::check(const std::vector<int>& products, char operand) {
  std::vector<Factor> all;
  std::optional<Operand> first;
  std::string why;
  for (const int product : products) {
    if (at(product).scaled == nullptr) continue;
    const auto of = operand_of(product, operand);
    if (!of || (first && first->chunks != of->chunks)) continue;
    if (!first) first = of;
    if (!add(product, operand, *of, all, why)) {
      if (why.empty()) continue;
      SumCheck unknown{product, operand, {}};
      unknown.check.diagnosis.mistake = why;
      return {unknown};
    }
  }
  if (all.empty()) return {};
  SumCheck found{all.front().product, operand, {}};
  const auto begin = begin_of(all, first->chunks);
  if (!begin && begin_of(eight_exchanged(all), first->chunks)) return exchanged(all, operand);
  if (!begin) {
    found.check.diagnosis.mistake =
        fmt::format("{} lies in an order of its own: right if it was packed so before",
                    layout::operand_name(operand));
    return {found};
  }
  std::vector<SumCheck> wrong;
  const int each = at(found.product).instruction->K / at(found.product).instruction->SFA.cols;
  for (const Factor& one : all) {
    const std::int64_t behind = static_cast<std::int64_t>(one.address) - *begin;
    const std::int64_t line = behind / first->chunks, chunk = behind % first->chunks;
    if (behind >= 0 && line == one.line && chunk == one.chunk) continue;
    if (!wrong.empty() && wrong.back().product == one.product) continue;
    const auto whose = [&](std::int64_t l, std::int64_t c) {
      return fmt::format("{} {}, k {}", line_word(operand), l, range_text(c * each, each));
    };
    wrong.push_back(
        mistaken_sum(one.product, "scale-factor",
                     fmt::format("{} is scaled by the factor of {}", whose(one.line, one.chunk),
                                 behind >= 0 ? whose(line, chunk) : "what lies before them"),
                     kAdvice));
    wrong.back().operand = operand;
  }
  if (!wrong.empty()) return wrong;
  found.check.diagnosis.verdict = trace::Verdict::right;
  const Factor& lowest =
      *std::min_element(all.begin(), all.end(),
                        [](const Factor& a, const Factor& b) { return a.address < b.address; });
  found.check.lies = lies_in_lines(operand == 'T', first->chunks, lowest.place);
  return {found};
}

const std::vector<trace::KnownMistake>& known_scale_mistakes() {
  static const std::vector<trace::KnownMistake> all{
      {"scale-factor", "factors of other rows, columns or chunks of K handed in to a scaled mma"},
      {"scale-lanes",
       "lanes that hand in factors of A exchanged: eight rows have those of eight others"}};
  return all;
}

}  // namespace lanescope::viz
