// SPDX-License-Identifier: MIT
// An operand whose rows, or columns, are found by numbers in memory (gathered.hpp): those of a
// mixture of experts, of an embedding, keys and values in pages. See origins.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "panels/steps/ptx_operands.hpp"
#include "panels/way/gathered.hpp"
#include "panels/way/origins.hpp"
#include "panels/way/places.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

// Of each row of A, column of B; empty where its elements have several.
std::vector<Numbers> of_lines(const std::vector<std::optional<FoundBy>>& all,
                              const layout::Fragment& map, bool of_rows) {
  std::vector<Numbers> lines(static_cast<std::size_t>(of_rows ? map.rows : map.cols));
  std::vector<bool> is_one(lines.size(), true);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto cols = static_cast<std::size_t>(map.cols);
    const std::size_t line = of_rows ? k / cols : k % cols;
    if (!all[k] || !is_one[line]) continue;
    is_one[line] = lines[line].empty() || lines[line] == all[k]->numbers;
    lines[line] = is_one[line] ? all[k]->numbers : Numbers();
  }
  return lines;
}

// Elements of several lines have come together in one: not only which line it is, is another.
bool mixes_lines(const OriginCheck& check, const layout::Fragment& map) {
  if (!check.tile) return true;
  for (std::size_t k = 0; k < check.came_from.size(); ++k) {
    const std::size_t cols = static_cast<std::size_t>(map.cols), row = k / cols, col = k % cols;
    const layout::Element &one = check.came_from[k],
                          &first = check.came_from[check.tile->columns ? col : row * cols];
    if (check.tile->columns ? one.col != first.col || one.row != static_cast<int>(row)
                            : one.row != first.row || one.col != static_cast<int>(col))
      return true;
  }
  return false;
}

// Rows of B, as those of values that lie in pages.
std::vector<TileAt> rows_in_pages(const std::vector<Came>& all, const layout::Fragment& map,
                                  const std::vector<std::optional<FoundBy>>& by,
                                  std::int64_t apart) {
  std::vector<TileAt> rows;
  for (int row = 0; row < map.rows && apart > 0; ++row) {
    const auto k = static_cast<std::size_t>(row * map.cols);
    if (all[k].zero) return {};
    TileAt one{0, all[k].address, apart, all[k].bits / 8};
    rows.push_back(one.from(all[k].base));
    rows.back().numbers = by[k]->numbers;
  }
  return rows;
}

// Into shared memory: "[%r4+8]" of "st.shared.u16 [%r4+8], %h1" and of a cp.async.
std::string_view destination(std::string_view ptx) {
  const std::string_view name = mnemonic_of(ptx);
  if (!name.starts_with("st.shared") && !name.starts_with("cp.async.c")) return {};
  const std::vector<std::string_view> operands = operands_of(ptx);
  return operands.empty() ? std::string_view() : operands.front();
}

std::vector<Came> moved_to(std::vector<Came> all, const std::vector<std::uint64_t>& at) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].address = at[k];
    all[k].base = 0;
  }
  return all;
}

}  // namespace

std::string numbers_text(const LaidAnew& anew, const NumbersBehind& numbers) {
  return fmt::format("{} numbers in memory, the first at {}, the last {} bytes behind it",
                     anew.groups, numbers.place_of(anew.first), anew.last - anew.first);
}

std::string unordered_text(char operand, const std::string& numbers) {
  return fmt::format(
      "lines of {} are found by {}, and do not lie in their order: right if that is "
      "meant",
      operand, numbers);
}

std::vector<std::optional<FoundBy>> Origins::found_by(const std::vector<Came>& all) {
  std::vector<std::optional<FoundBy>> found;
  for (const Came& one : all) {
    found.emplace_back();
    if (!one.zero) found.back() = {one.address, one.access ? numbers_.of(*one.access) : Numbers()};
  }
  return found;
}

std::optional<OriginCheck> Origins::gathered(const Multiplication& in, char operand,
                                             const std::vector<Came>& all) {
  const auto first = std::find_if(all.begin(), all.end(), [](const Came& c) { return !c.zero; });
  if (first == all.end() || first->bits % 8 != 0 || first->bits == 0) return std::nullopt;
  const std::vector<std::optional<FoundBy>> by = found_by(all);
  OriginCheck check;
  std::optional<LaidAnew> anew;
  bool is_known = false;
  for (const bool gaps : {true, false}) {
    anew = laid_anew(by, first->bits / 8, gaps);
    if (!anew) return std::nullopt;
    check = judge_origins(in, operand, moved_to(all, anew->at));
    is_known = check.diagnosis.verdict == trace::Verdict::right ||
               (gaps && is_of_registers(check.diagnosis) &&
                mixes_lines(check, in_bytes(*in.map(operand)).map));
    if (is_known) break;
  }
  check.gathered.any = true;
  check.gathered.by = of_lines(by, in_bytes(*in.map(operand)).map, operand == 'A');
  for (const Numbers& line : check.gathered.by)
    for (const std::uint64_t one : line) check.gathered.places.emplace(one, numbers_.place_of(one));
  check.turned.reset();
  check.otherwise.clear();
  const std::string numbers = numbers_text(*anew, numbers_);
  if (is_known) {
    const std::string of = parameter_text(first->place);
    if (operand == 'B' && check.tile && !check.tile->columns)
      check.gathered.ks = rows_in_pages(all, in_bytes(*in.map('B')).map, by, anew->apart);
    check.lies = fmt::format("{}{}{}, found by {}{}",
                             line_after_line(check.tile ? check.tile->columns : operand == 'B'),
                             of.empty() ? "" : " of parameter ", of, numbers, filled_text(all));
  } else {
    check.came_from.clear();
    check.lies.clear();
    check.diagnosis = {};
    check.diagnosis.mistake = unordered_text(operand, numbers);
  }
  check.tile.reset();
  return check;
}

// What is not where it belongs may have been put into shared memory where numbers say, as the
// non-zero elements of a sparse matrix are, each in its column. Numbers that all of them have, such
// as which tile is next, leave them beside one another.
OriginCheck Origins::unless_scattered(OriginCheck check, const Multiplication& in, char operand) {
  if (!is_wrong(check.diagnosis.verdict) || check.gathered.any) return check;
  const ByteMap bytes = in_bytes(*in.map(operand));
  std::optional<Numbers> first;
  for (int k = 0; k < bytes.map.rows * bytes.map.cols; ++k) {
    const int row = k / bytes.map.cols * bytes.row, col = k % bytes.map.cols * bytes.col;
    const Way way = way_back_to(trace_, history_, in, operand, row, col);
    if (way.zero) continue;
    Numbers put;
    for (const WayStop& stop : way.stops) {
      const std::string_view ptx = history_.item(stop.place.warp, stop.place.item).step->ptx;
      const std::string_view to = destination(ptx);
      if (to.empty() || stop.lane < 0) continue;
      const Numbers& found = numbers_.of({stop.place, to, stop.lane});
      put.insert(found.begin(), found.end());
    }
    if (!first) first = put;
    if (put == *first) continue;
    check = {};
    check.diagnosis.mistake = fmt::format(
        "where its elements are put in shared memory is found by numbers in memory, the first at "
        "{}: right if that is meant",
        numbers_.place_of(*(put.empty() ? *first : put).begin()));
    return check;
  }
  return check;
}

// What lies in lines may be found by them, too: then it is not known where in its matrix.
void Origins::note_numbers(OriginCheck& check, const std::vector<Came>& all, int cols) {
  if (!check.tile || check.gathered.any) return;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool is_edge =
        k < static_cast<std::size_t>(cols) || k % static_cast<std::size_t>(cols) == 0;
    if (!is_edge || all[k].zero || !all[k].access) continue;
    const Numbers& one = numbers_.of(*all[k].access);
    check.tile->numbers.insert(one.begin(), one.end());
  }
}

}  // namespace lanescope::viz
