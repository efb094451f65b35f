// SPDX-License-Identifier: MIT
// See tensor_stored.hpp.
#include "panels/way/tensor_stored.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "panels/way/sum_checks.hpp"
#include "panels/way/sum_places.hpp"

namespace lanescope::viz {
namespace {

using layout::Element;
using trace::Verdict;

constexpr int kLanesOfCta = 128;

// What tensor memory has at a lane and a column, counted from D's first.
std::optional<Element> element_at(const layout::Fragment& D, int lane, int column) {
  if (lane < 0 || lane >= kLanesOfCta || column < 0 || column >= D.values || !D.provided_by(lane))
    return std::nullopt;
  return D.element(lane, column);
}

}  // namespace

TensorStored::TensorStored(const Model& model, RegisterHistory& history,
                           const std::vector<TensorSum>& sums)
    : history_(history),
      sums_(sums),
      loads_(tensor_loads(history, sums)),
      sources_(model, history, loads_),
      stores_(model.trace, history, sources_) {
  // A warp of which less is recorded may have begun another sum before the load.
  for (TensorLoaded& load : loads_) {
    if (load.sum < 0) continue;
    const StepPlace& first = sums[static_cast<std::size_t>(load.sum)].front().place;
    const SharedHistory& block = history.shared(model.trace, history.warp(load.place.warp));
    if (!block.sees_between(history.item(first.warp, first.item).step,
                            history.item(load.place.warp, load.place.item).step))
      load.sum = -1;
  }
}

TensorStored::Reading TensorStored::reading(const layout::Mover* shape, const TensorD& d) const {
  return [this, shape, d](const StoredElement& store) -> std::optional<Element> {
    const TensorLoaded& load = load_of(store);
    const TensorLoaded::Place at =
        load.at(shape != nullptr ? *shape : *load.mover, store.element.row, store.element.col);
    return element_at(d.map->registers, at.lane - d.lane, at.column - d.column);
  };
}

TensorStored::Laid TensorStored::laid(const std::vector<const StoredElement*>& stored,
                                      const layout::Fragment& map, const Reading& reading) const {
  Laid now;
  now.all.resize(static_cast<std::size_t>(map.rows * map.cols));
  for (const StoredElement* store : stored) {
    const std::optional<Element> e = reading(*store);
    if (!e) {
      if (now.nothing == nullptr) now.nothing = store;
      continue;
    }
    const StoredElement*& slot = now.all[static_cast<std::size_t>(e->row * map.cols + e->col)];
    if (slot != nullptr && slot->address != store->address && now.twice == nullptr)
      now.twice = store;
    slot = store;
  }
  if (std::any_of(now.all.begin(), now.all.end(), [](const auto* one) { return one != nullptr; }))
    now.tile = lines_of_stored(now.all, map, stored.front()->bytes);
  if (!now.tile) return now;
  now.at = stored_at(now.all, map, *now.tile);
  now.right = now.nothing == nullptr && now.twice == nullptr;
  for (std::size_t k = 0; k < now.all.size(); ++k) {
    const int row = static_cast<int>(k) / map.cols, col = static_cast<int>(k) % map.cols;
    now.right = now.right && (now.all[k] == nullptr || now.at[k] == Element{row, col, 0});
  }
  return now;
}

// What loads of different forms bring is each stored by itself, and so is what goes to different
// matrices, or in different sizes: elements may be in several of these.
std::vector<TensorStored::Stored> TensorStored::copies(const Stored& all) {
  std::map<std::tuple<const layout::Mover*, std::uint64_t, int>, Stored> found;
  for (const StoredElement* one : all)
    found[{load_of(*one).mover, stores_.base_of(*one), one->bytes}].push_back(one);
  std::vector<Stored> copies;
  for (auto& [key, copy] : found) copies.push_back(std::move(copy));
  return copies;
}

// One that has all elements, each where it belongs.
std::optional<TensorStored::Laid> TensorStored::right_copy(const std::vector<Stored>& copies,
                                                           const TensorD& d) const {
  const Reading read = reading(nullptr, d);
  const auto has = [](const Laid& one, std::size_t k) { return one.all[k] != nullptr; };
  std::vector<Laid> all;
  for (const Stored& copy : copies) all.push_back(laid(copy, d.map->registers, read));
  for (const Laid& one : all) {
    bool whole = one.right;
    for (const Laid& other : all)
      for (std::size_t k = 0; k < other.all.size() && whole; ++k)
        whole = has(one, k) || !has(other, k);
    if (whole) return one;
  }
  return std::nullopt;
}

// All that its loads bring is stored, lane after lane and column after column: those lanes, too,
// that have nothing of D.
bool TensorStored::is_copy_of_lanes(const Stored& stored, std::size_t sum, const TensorD& d) const {
  std::size_t all = 0;
  for (const TensorLoaded& load : loads_)
    if (load.sum == static_cast<int>(sum))
      all +=
          static_cast<std::size_t>(load.mover->registers.threads() * load.mover->registers.values);
  if (stored.size() != all) return false;
  const auto at = [this](const StoredElement* one) {
    const TensorLoaded& load = load_of(*one);
    return load.at(*load.mover, one->element.row, one->element.col);
  };
  const TensorLoaded::Place first = at(stored.front());
  const auto behind = [&stored](const StoredElement* one) {
    return static_cast<std::int64_t>(one->address - stored.front()->address);
  };
  const auto other = std::find_if(stored.begin(), stored.end(), [&](const StoredElement* one) {
    return at(one).column == first.column && at(one).lane != first.lane;
  });
  if (other == stored.end()) return false;
  const std::int64_t apart = behind(*other) / (at(*other).lane - first.lane);
  return std::all_of(stored.begin(), stored.end(), [&](const StoredElement* one) {
    const TensorLoaded::Place here = at(one);
    const bool is_beside =
        here.column < d.column || here.column >= d.column + d.map->registers.values;
    return !is_beside && behind(one) == (here.lane - first.lane) * apart +
                                            (here.column - first.column) * one->bytes;
  });
}

std::string TensorStored::place_of(const StoredElement& store) const {
  const trace::Step& step = *history_.item(store.place.warp, store.place.item).step;
  const std::string source = source_text(step.source);
  return fmt::format("step {}{}{}", step.step, source.empty() ? "" : ", ", source);
}

void TensorStored::say_right(OriginCheck& check, const Laid& now, const TensorD& d,
                             const std::optional<OriginCheck>& a,
                             const std::optional<OriginCheck>& b) {
  trace::Diagnosis& diagnosis = check.diagnosis;
  const auto first =
      std::find_if(now.all.begin(), now.all.end(), [](const auto* one) { return one != nullptr; });
  const StoredElement& store = **first;
  check.lies = lies_in_lines(
      now.tile->columns, now.tile->apart,
      stores_.place_of(store, static_cast<std::int64_t>(now.tile->first - store.address)));
  check.tile = now.tile->from(stores_.base_of(store));
  diagnosis.verdict = Verdict::right;
  if (std::string never = unread(static_cast<std::size_t>(load_of(store).sum)); !never.empty()) {
    name_mistake(diagnosis, "sum-not-stored", std::move(never),
                 "which rows and columns of D does a lane hold? `lanescope layout` says it");
    check.lies.clear();
    return;
  }
  const trace::Place& place = history_.item(store.place.warp, store.place.item).step->place;
  if (d.ctas == 2 || !a || !b || !a->tile || !b->tile || place.block == std::array<int, 3>{0, 0, 0})
    return;
  bool exchanged = false;
  std::string words = misplaced_tile(*a->tile, *b->tile, *check.tile, exchanged);
  if (words.empty()) return;
  name_mistake(diagnosis, "tile-misplaced", std::move(words),
               "row and column of a tile are those of its block");
  check.lies.clear();
}

void TensorStored::say_wrong(OriginCheck& check, const Laid& as_is, const TensorD& d,
                             const std::vector<const StoredElement*>& stored) {
  const layout::Fragment& map = d.map->registers;
  trace::Diagnosis& diagnosis = check.diagnosis;
  diagnosis.verdict = Verdict::unknown;
  diagnosis.mistake = "not one of the known mistakes";
  diagnosis.advice =
      "`lanescope layout tcgen05.mma` says where it leaves D, `layout tcgen05.ld` "
      "what each lane gets";
  for (const Change& one : changes(stored, d)) {
    const Laid now = laid(stored, map, one.reading);
    if (!now.right) continue;
    name_mistake(diagnosis, "tensor-load", one.words, one.advice);
    check.tile = now.tile;
    break;
  }
  const std::optional<TileAt> tile = check.tile ? check.tile : as_is.tile;
  if (!tile) return;
  check.lies = lines_apart(tile->columns, tile->apart);
  diagnosis.elements = static_cast<int>(stored.size());
  const Reading real = reading(nullptr, d);
  for (const StoredElement* store : stored) {
    const std::optional<Element> e = real(*store);
    const Element to = tile->at(store->address);
    if (e && e->row == to.row && e->col == to.col) continue;
    if (diagnosis.wrong++ > 0) continue;
    const TensorLoaded& load = load_of(*store);
    const TensorLoaded::Place at = load.at(*load.mover, store->element.row, store->element.col);
    check.first_at = e;
    check.first = fmt::format(
        "{}: {} of tensor memory, {}, is stored where {} belongs", place_of(*store),
        fmt::format("lane {}, column {}", at.lane, at.column),
        e ? fmt::format("D[{}][{}]", e->row, e->col) : "nothing of D",
        map.contains(to) ? fmt::format("D[{}][{}]", to.row, to.col) : "nothing of this tile");
  }
  check.tile.reset();
}

std::vector<const StoredElement*> TensorStored::all_stored(std::size_t sum) const {
  std::vector<const StoredElement*> stored;
  for (const StoredElement& one : stores_.of(sources_.tensor_memory()))
    if (load_of(one).sum == static_cast<int>(sum)) stored.push_back(&one);
  return stored;
}

const StoredElement* TensorStored::stored(std::size_t sum, const Element& element) const {
  const TensorD d = tensor_d(history_, sums_[sum].front().place);
  if (!d.why.empty()) return nullptr;
  const Reading read = reading(nullptr, d);
  for (const StoredElement* one : all_stored(sum))
    if (read(*one) == element) return one;
  return nullptr;
}

OriginCheck TensorStored::check(std::size_t sum, const std::optional<OriginCheck>& a,
                                const std::optional<OriginCheck>& b) {
  OriginCheck check;
  const TensorD d = tensor_d(history_, sums_[sum].front().place);
  const auto because = [&check](std::string why) {
    check.diagnosis.mistake = std::move(why);
    return check;
  };
  if (!d.why.empty()) return because(d.why);
  if (std::none_of(loads_.begin(), loads_.end(),
                   [sum](const TensorLoaded& load) { return load.sum == static_cast<int>(sum); }))
    return because("no tcgen05.ld that is recorded reads it");
  const std::vector<const StoredElement*> stored = all_stored(sum);
  if (stored.empty())
    return because("what tcgen05.ld brings of it is stored nowhere that is known");
  const Laid as_is = laid(stored, d.map->registers, reading(nullptr, d));
  if (as_is.right) return say_right(check, as_is, d, a, b), check;
  const std::vector<Stored> several = copies(stored);
  if (const auto one = right_copy(several, d)) return say_right(check, *one, d, a, b), check;
  for (const StoredElement* one : stored)
    if (one->bytes != stored.front()->bytes)
      return because("its elements are stored in different sizes");
  if (as_is.twice != nullptr && several.size() > 1)
    return because(fmt::format("its elements are stored {} times, and never all of them in lines",
                               several.size()));
  if (as_is.nothing != nullptr && is_copy_of_lanes(stored, sum, d))
    return because(
        "it is stored as it lies in tensor memory, lane after lane: right if it is read so, wrong "
        "if these are taken for its rows");
  if (!as_is.tile && as_is.nothing == nullptr && as_is.twice == nullptr)
    return because("too few of its elements are stored to say in which lines");
  return say_wrong(check, as_is, d, stored), check;
}

}  // namespace lanescope::viz
