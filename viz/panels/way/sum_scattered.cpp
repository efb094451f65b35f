// SPDX-License-Identifier: MIT
// Sums whose rows of D are found by numbers in memory (gathered.hpp), each by its own: scattered as
// rows of A are gathered. See sum_checks.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "panels/way/gathered.hpp"
#include "panels/way/places.hpp"
#include "panels/way/sum_checks.hpp"
#include "panels/way/sum_places.hpp"

namespace lanescope::viz {

Numbers SumChecks::numbers_of(const StoredElement& stored) {
  return numbers_.of({stored.place, stored.operand, stored.lane});
}

namespace {

// As if each were stored at its new place.
struct MovedStores {
  std::vector<StoredElement> stores;
  std::vector<const StoredElement*> places;
  MovedStores(const std::vector<const StoredElement*>& all, const LaidAnew& anew) {
    stores.reserve(all.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      places.push_back(nullptr);
      if (all[k] == nullptr) continue;
      stores.push_back(*all[k]);
      stores.back().address = anew.at[k];
      places.back() = &stores.back();
    }
  }
};

}  // namespace

// D stored in an order that its addresses alone do not explain; nothing where no numbers do either.
std::optional<OriginCheck> SumChecks::scattered(const std::vector<const StoredElement*>& all,
                                                const Multiplication& in) {
  const auto first =
      std::find_if(all.begin(), all.end(), [](const auto* c) { return c != nullptr; });
  const layout::Fragment& map = *in.map('D');
  std::vector<std::optional<FoundBy>> by;
  for (const StoredElement* one : all) {
    by.emplace_back();
    if (one != nullptr) by.back() = {one->address, numbers_of(*one)};
  }
  OriginCheck check;
  for (const bool gaps : {true, false}) {
    const auto anew = laid_anew(by, (*first)->bytes, gaps);
    if (!anew) return std::nullopt;
    const MovedStores moved(all, *anew);
    const auto tile = lines_of_stored(moved.places, map, (*first)->bytes);
    const std::string numbers = numbers_text(*anew, numbers_);
    check.diagnosis = {};
    check.diagnosis.mistake = unordered_text('D', numbers);
    if (!tile) continue;
    check.came_from = stored_at(moved.places, map, *tile);
    check.lies = fmt::format("{}, found by {}", line_after_line(tile->columns), numbers);
    check.diagnosis = diagnose_places(in, 'D', check.came_from);
    if (check.diagnosis.verdict == trace::Verdict::right ||
        (gaps && is_of_registers(check.diagnosis)))
      break;
    check.came_from.clear();
    check.lies.clear();
    check.diagnosis = {};
    check.diagnosis.mistake = unordered_text('D', numbers);
  }
  check.gathered.any = true;
  return check;
}

}  // namespace lanescope::viz
