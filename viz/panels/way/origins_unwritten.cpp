// SPDX-License-Identifier: MIT
// Whole rows of A, or columns of B, or all of them, that are read from shared memory which nobody
// has written: so a kernel does at the edge of a matrix that has fewer of them than its tile, where
// it fetches none and stores none. Whether they are stored the sum knows (SumChecks::stores_lines).
// See origins.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "panels/way/origins.hpp"
#include "panels/way/places.hpp"
#include "panels/way/way_back.hpp"

namespace lanescope::viz {
namespace {

// "rows 13 to 15 of A"
std::string lines_text(const std::vector<int>& lines, int of, char operand) {
  if (static_cast<int>(lines.size()) == of) return std::string(1, operand);
  const char* kind = operand == 'A' ? "row" : "column";
  if (lines.size() == 1) return fmt::format("{} {} of {}", kind, lines.front(), operand);
  const bool together = lines.back() - lines.front() + 1 == static_cast<int>(lines.size());
  return together ? fmt::format("{}s {} to {} of {}", kind, lines.front(), lines.back(), operand)
                  : fmt::format("{} {}s of {}", lines.size(), kind, operand);
}

// The lines that are unwritten as a whole; none where one is in part.
std::vector<int> whole_lines(const std::vector<bool>& unwritten, int rows, int cols, char operand) {
  const bool is_a = operand == 'A';
  const int lines = is_a ? rows : cols, each = is_a ? cols : rows;
  std::vector<int> whole;
  for (int line = 0; line < lines; ++line) {
    int count = 0;
    for (int k = 0; k < each; ++k)
      count += unwritten[static_cast<std::size_t>(is_a ? line * cols + k : k * cols + line)];
    if (count != 0 && count != each) return {};
    if (count == each) whole.push_back(line);
  }
  return whole;
}

}  // namespace

std::optional<OriginCheck> Origins::without_unwritten(const Multiplication& in, char operand) {
  const ByteMap bytes = in_bytes(*in.map(operand));
  std::vector<Came> all;
  std::vector<bool> unwritten;
  for (int line = 0; line < bytes.map.rows; ++line)
    for (int place = 0; place < bytes.map.cols; ++place) {
      Way way = way_back_to(trace_, history_, in, operand, line * bytes.row, place * bytes.col);
      unwritten.push_back(way.unwritten);
      if (!way.address && !way.zero && !way.unwritten) return std::nullopt;
      way.zero = way.zero || way.unwritten;
      all.push_back(came_by(std::move(way)));
      all.back().unwritten = unwritten.back();
    }
  const std::vector<int> lines = whole_lines(unwritten, bytes.map.rows, bytes.map.cols, operand);
  if (lines.empty() || in_flight(in, operand, all)) return std::nullopt;
  OriginCheck check;
  const int of = operand == 'A' ? bytes.map.rows : bytes.map.cols;
  if (static_cast<int>(lines.size()) < of) {
    check = explained(in, operand, all);
    if (check.diagnosis.verdict != trace::Verdict::right) return std::nullopt;
  }
  const std::string unwritten_lines = lines_text(lines, of, operand);
  check.lies += fmt::format(", but for {}, which nobody has written", unwritten_lines);
  check.diagnosis.mistake = fmt::format(
      "nobody has written {} in shared memory: right if what becomes of that is not stored",
      unwritten_lines);
  check.unwritten = lines;
  if (auto mistake = too_soon(in, operand))
    check.unless_stored = std::make_shared<const OriginCheck>(std::move(*mistake));
  return check;
}

void decide_unwritten(OriginCheck& check, std::optional<bool> are_stored) {
  check.unwritten.clear();
  const std::shared_ptr<const OriginCheck> mistake = std::exchange(check.unless_stored, nullptr);
  std::string otherwise = std::exchange(check.diagnosis.mistake, {});
  if (are_stored == false) return;
  if (are_stored && mistake != nullptr) return void(check = *mistake);
  check = {};
  check.diagnosis.mistake = std::move(otherwise);
}

}  // namespace lanescope::viz
